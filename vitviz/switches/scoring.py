"""How queries and keys make attention scores, where that is not q·k / √dh for every pair."""

from dataclasses import dataclass
from functools import lru_cache

import torch
from torch import Tensor
from torch.nn import functional as F

from vitviz.config import ViTConfig
from vitviz.recording import Record


@dataclass(frozen=True, slots=True)
class Scoring:
    """q·k times `scale` (None: 1/√dh), plus a bias; only where `mask`, `... q k` of bool, holds; the `top_k` largest.

    Scores that are left out become minus infinity, which softmax turns into weights of 0. Equal scores stay together,
    so that more than `top_k` may. A layer with a scoring of its own is written out in every forward pass, but for
    `linear` attention: its scores are the logarithms of φ(q)·φ(k), which softmax turns into their shares.
    """

    scale: float | None = None
    mask: Tensor | None = None
    top_k: int | None = None
    linear: bool = False

    def __call__(self, q: Tensor, k: Tensor, bias: Tensor | None = None) -> Tensor:
        """`... q dh, ... k dh -> ... q k`"""
        if self.linear:
            products = (feature(q) @ feature(k).transpose(-1, -2)).log()
            scores = products if self.scale is None else products * self.scale * q.shape[-1] ** 0.5
        else:
            products = q @ k.transpose(-1, -2)
            scores = products / q.shape[-1] ** 0.5 if self.scale is None else products * self.scale
        if bias is not None:
            scores = scores + bias
        if self.mask is not None:
            scores = torch.where(self.mask, scores, -torch.inf)
        if self.top_k is not None and self.top_k < scores.shape[-1]:
            least = scores.topk(self.top_k, dim=-1).values[..., -1:]
            scores = torch.where(scores < least, -torch.inf, scores)
        return scores


USUAL, LINEAR = Scoring(), Scoring(linear=True)


def own_scoring(config: ViTConfig, device: torch.device) -> Scoring | None:
    """The scoring of every layer of such a model; None where fused attention computes the same."""
    if config.plain_scores:
        return None
    return LINEAR if config.attention == "linear" else _written_out(config, device)


@lru_cache(maxsize=64)
def _written_out(config: ViTConfig, device: torch.device) -> Scoring:
    mask = near(config, config.window, device) if config.attention == "window" else None
    return Scoring(config.score_scale, mask, config.top_k if config.attention == "top_k" else None)


def near(config: ViTConfig, radius: int, device: torch.device) -> Tensor:
    """Which patches are at most `radius` rows and columns apart; prefix tokens are near all: `q k`."""
    (rows, columns), prefix = config.grid, len(config.prefix_tokens)
    patch = torch.arange(rows * columns, device=device)
    apart = [(axis[:, None] - axis).abs() for axis in (patch // columns, patch % columns)]
    return F.pad(torch.maximum(*apart) <= radius, (prefix, 0, prefix, 0), value=True)


def earlier(tokens: int, device: torch.device) -> Tensor:
    """Which tokens stand no later than another, itself among them: the causal mask of a decoder, `q k`."""
    return torch.ones(tokens, tokens, dtype=torch.bool, device=device).tril()


def linear_attention(q: Tensor, k: Tensor, v: Tensor, record: Record) -> Tensor:
    """φ(q)·(φ(k)ᵀv) / φ(q)·Σφ(k), in steps that grow with the tokens and not with their square: `... t dh`."""
    q, k = feature(q), feature(k)
    gathered = record("kv", k.mT @ v)
    return q @ gathered / (q * k.sum(dim=-2, keepdim=True)).sum(dim=-1, keepdim=True)


def feature(x: Tensor) -> Tensor:
    """φ(x) = ELU(x) + 1, always above 0."""
    return F.elu(x) + 1


def never_blind(mask: Tensor) -> Tensor:
    """`mask`, `... t t`, but a token that would see nothing sees itself."""
    itself = torch.eye(mask.shape[-1], dtype=torch.bool, device=mask.device)
    return mask | (~mask.any(dim=-1, keepdim=True) & itself)
