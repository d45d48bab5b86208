"""The kinds of norm; LayerNorm, PyTorch's own, is the paper's."""

import torch
from torch import Tensor, nn

from vitviz.config import ViTConfig


class BatchNorm(nn.Module):
    """Every component to mean 0 and variance 1 over all tokens of all pictures of the batch (Ioffe & Szegedy 2015).

    The batch's own statistics are taken, as in training, so that an answer depends on the pictures beside it.
    """

    def __init__(self, size: int, epsilon: float) -> None:
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.empty(size)), nn.Parameter(torch.empty(size))
        self.epsilon = epsilon

    def forward(self, x: Tensor) -> Tensor:
        """`b t d -> b t d`"""
        variance, mean = torch.var_mean(x, dim=(0, 1), correction=0)
        return (x - mean) / (variance + self.epsilon).sqrt() * self.weight + self.bias


Norm = nn.LayerNorm | nn.RMSNorm | BatchNorm
KINDS: dict[str, type[Norm]] = {"layer": nn.LayerNorm, "rms": nn.RMSNorm, "batch": BatchNorm}


def norm(config: ViTConfig) -> Norm:
    """A norm of the tokens, of this model's kind."""
    return KINDS[config.norm](config.dim, config.epsilon)
