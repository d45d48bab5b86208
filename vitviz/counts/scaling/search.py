"""Find the model: the configurations whose parameters or arithmetic come nearest to a budget."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, floor

from vitviz.config import LIMITS, ViTConfig
from vitviz.counts.totals import total_macs, total_parameters

HEAD_DIM = 64  # numbers per head in all models of the paper from Ti to L
WIDEST = 64  # in steps of HEAD_DIM
SLENDER, STOUT = 16, 64  # dim per block: Ti has 192 / 12 = 16, B has 768 / 12 = 64, the others lie between
COUNTS: dict[str, Callable[[ViTConfig], int]] = {"parameters": total_parameters, "MACs": total_macs}


@dataclass(frozen=True, slots=True)
class Found:
    """A configuration, what it costs, and how far that is from the budget: 0.1 is a tenth above."""

    config: ViTConfig
    count: int
    off: float


def nearest(config: ViTConfig, budget: int, unit: str, most: int = 6) -> tuple[Found, ...]:
    """The models nearest to `budget` of `unit`, a key of `COUNTS`, one for each dim, the nearest first.

    Picture, patches and classes are those of `config`; dim and depth are searched, in proportions as in the paper's
    models, with 64 numbers per head and an MLP of 4·d.
    """
    found = []
    for heads in range(1, WIDEST + 1):
        wide = widened(config, heads)
        wanted = depth_for(wide, budget, unit)
        least, largest = max(1, ceil(wide.dim / STOUT)), wide.dim // SLENDER
        depths = (min(max(step, least), largest) for step in (floor(wanted), ceil(wanted)))
        found.append(
            min((_found(wide.with_(depth=depth), budget, unit) for depth in depths), key=lambda it: abs(it.off))
        )
    return tuple(sorted(found, key=lambda it: (abs(it.off), it.config.dim))[:most])


def _found(config: ViTConfig, budget: int, unit: str) -> Found:
    count = COUNTS[unit](config)
    return Found(config, count, count / budget - 1)


def widened(config: ViTConfig, heads: int) -> ViTConfig:
    """The model with so many heads of 64 numbers each, and an MLP of 4·d."""
    dim = HEAD_DIM * heads
    return config.with_(dim=dim, heads=heads, mlp_dim=4 * dim)


def depth_for(config: ViTConfig, budget: int, unit: str) -> float:
    """The depth at which a model of this width would meet the budget; counts are linear in depth, so it is exact."""
    one, two = (COUNTS[unit](config.with_(depth=depth)) for depth in (1, 2))
    return min(max(1 + (budget - one) / (two - one), 0), LIMITS["depth"])
