"""What the head reads: all tokens by one more attention (SigLIP), or a hidden layer, as in pre-training."""

from collections.abc import Callable

import torch
from einops import rearrange, repeat
from torch import Tensor, nn

from vitviz.config import ViTConfig
from vitviz.recording import Record, prefixed

Attend = Callable[[Tensor, Tensor, Tensor], Tensor]


class PreLogits(nn.Module):
    """Linear and tanh on what was read off the tokens; the head reads what they make (section 3.1)."""

    def __init__(self, config: ViTConfig) -> None:
        super().__init__()
        self.fc = nn.Linear(config.pooled, config.pre_logits)

    def forward(self, x: Tensor) -> Tensor:
        """`b d -> b r`"""
        return torch.tanh(self.fc(x))


class AttentionPool(nn.Module):
    """One learned query asks all tokens; its answer and an MLP stand for the picture, in place of a class token."""

    def __init__(self, config: ViTConfig, mlp: nn.Module) -> None:
        super().__init__()
        width = config.heads * config.head_dim
        self.heads = config.heads
        self.latent = nn.Parameter(torch.empty(1, 1, config.dim))
        self.q = nn.Linear(config.dim, width)
        self.kv = nn.Linear(config.dim, 2 * width)
        self.proj = nn.Linear(width, config.dim)
        self.norm = nn.LayerNorm(config.dim, config.epsilon)
        self.mlp = mlp

    def forward(self, x: Tensor, record: Record, attend: Attend) -> Tensor:
        """`b t d -> b d`; q, k, v are gathered by `attend`."""
        q = repeat(self.q(self.latent), "1 q (head dh) -> b head q dh", b=x.shape[0], head=self.heads)
        k, v = rearrange(self.kv(x), "b t (kv head dh) -> kv b head t dh", kv=2, head=self.heads)
        q, k, v = record("q", q), record("k", k), record("v", v)
        z = record("z", attend(q, k, v))
        x = record("out", self.proj(rearrange(z, "b head 1 dh -> b (head dh)")))
        out = self.mlp(record("norm", self.norm(x)), prefixed("mlp", record))
        return x + record("mlp.out", out)
