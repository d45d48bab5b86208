"""How queries and keys make attention scores, where that is not q·k / √dh for every pair."""

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class Scoring:
    """q·k times `scale` (None: 1/√dh), plus a bias; only where `mask`, `... q k` of bool, holds; the `top_k` largest.

    Scores that are left out become minus infinity, which softmax turns into weights of 0. Equal scores stay together,
    so that more than `top_k` may. A layer with a scoring of its own is written out in every forward pass.
    """

    scale: float | None = None
    mask: Tensor | None = None
    top_k: int | None = None

    def __call__(self, q: Tensor, k: Tensor, bias: Tensor | None = None) -> Tensor:
        """`... q dh, ... k dh -> ... q k`"""
        products = q @ k.transpose(-1, -2)
        scores = products / q.shape[-1] ** 0.5 if self.scale is None else products * self.scale
        if bias is not None:
            scores = scores + bias
        if self.mask is not None:
            scores = scores.masked_fill(~self.mask, -torch.inf)
        if self.top_k is not None and self.top_k < scores.shape[-1]:
            least = scores.topk(self.top_k, dim=-1).values[..., -1:]
            scores = scores.masked_fill(scores < least, -torch.inf)
        return scores


USUAL = Scoring()


def never_blind(mask: Tensor) -> Tensor:
    """`mask`, `... t t`, but a token that would see nothing sees itself."""
    itself = torch.eye(mask.shape[-1], dtype=torch.bool, device=mask.device)
    return mask | (~mask.any(dim=-1, keepdim=True) & itself)
