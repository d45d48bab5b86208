"""What later families put into the encoder block."""

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from vitviz.config import ViTConfig
from vitviz.recording import Record, ignore

ACTIVATION_FUNCTIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "gelu": F.gelu,
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "quick_gelu": lambda x: x * torch.sigmoid(1.702 * x),
    "relu": F.relu,
}


class LayerScale(nn.Module):
    """One learned factor per component of a token, on what a block adds to the residual stream."""

    def __init__(self, config: ViTConfig) -> None:
        super().__init__()
        self.gamma = nn.Parameter(torch.empty(config.dim))

    def forward(self, x: Tensor) -> Tensor:
        """`b t d -> b t d`"""
        return x * self.gamma


class GatedMLP(nn.Module):
    """SwiGLU: one half of the first layer, through SiLU, decides how much of the other half passes."""

    def __init__(self, config: ViTConfig) -> None:
        super().__init__()
        self.fc1 = nn.Linear(config.dim, 2 * config.mlp_dim)
        self.fc2 = nn.Linear(config.mlp_dim, config.dim)

    def forward(self, x: Tensor, record: Record = ignore) -> Tensor:
        """`b t d -> b t d`, through twice `b t m`."""
        gate, hidden = self.fc1(x).chunk(2, dim=-1)
        gate, hidden = record("gate", gate), record("hidden", hidden)
        active = record("active", F.silu(gate) * hidden)
        return self.fc2(active)


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
