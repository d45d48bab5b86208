"""Find the model: the configurations whose parameters or arithmetic come nearest to a budget."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, floor

from vitviz.config import LIMITS, ViTConfig
from vitviz.counts.totals import total_macs, total_parameters

WIDEST = 4096  # numbers of dim
NARROWEST_STEP = 32  # from one dim to the next, in whole heads
SLENDER, STOUT = 16, 64  # dim per block: Ti has 192 / 12 = 16, B has 768 / 12 = 64, the others lie between
MLP_STEP = 8  # processors like such sizes
MLP_GIVES = 1 / 4  # of its size at most, to make up for blocks being whole
NEAR = 0.05  # of the budget; what is further off is near nothing
ALIKE = 0.01  # of the budget, within which models are said to cost the same
COUNTS: dict[str, Callable[[ViTConfig], int]] = {"parameters": total_parameters, "MACs": total_macs}


@dataclass(frozen=True, slots=True)
class Found:
    """A configuration, what it costs, and how far that is from the budget: 0.1 is a tenth above."""

    config: ViTConfig
    count: int
    off: float

    @property
    def near(self) -> bool:
        """Whether it comes near the budget at all."""
        return abs(self.off) <= NEAR


@lru_cache(maxsize=64)  # asked for in every run of the page
def nearest(config: ViTConfig, budget: int, unit: str, most: int = 6) -> tuple[Found, ...]:
    """The models near `budget` of `unit`, a key of `COUNTS`, one for each dim; the nearest alone where none is near.

    Dim and depth are searched, in proportions as in the paper's models, and the MLP takes up what whole blocks leave.
    All else is as in `config`: its picture, patches, classes and switches, the width of its heads, and nearly the
    ratio of its MLP. The nearest come first.
    """
    found = []
    for dim in widths(config):
        wide = widened(config, dim)
        fitting = depth_for(wide, budget, unit)
        least = max(1, ceil(dim / STOUT))
        largest = min(max(1, dim // SLENDER), LIMITS["depth"])
        depths = {min(max(step, least), largest) for step in (floor(fitting), ceil(fitting))}
        found.append(min((_fitted(wide.with_(depth=depth), budget, unit) for depth in depths), key=_distance))
    found.sort(key=_distance)
    return tuple([it for it in found if it.near][:most] or found[:1])


def deep_and_wide(config: ViTConfig, budget: int, most: int) -> tuple[Found, Found] | None:
    """The narrowest, deepest and the widest, shallowest model of `budget` MACs, within `ALIKE`; None without two.

    Neither has more than `most` parameters: where tokens are few, few MACs are many parameters.
    """
    every = nearest(config, budget, "MACs", most=len(widths(config)))
    near = (it for it in every if abs(it.off) <= ALIKE and total_parameters(it.config) <= most)
    alike = sorted(near, key=lambda it: it.config.dim)
    return (alike[0], alike[-1]) if len(alike) > 1 else None


def widths(config: ViTConfig) -> list[int]:
    """The dims that are tried: whole heads as wide as those of `config`, and its own dim."""
    step = config.head_dim * ceil(NARROWEST_STEP / config.head_dim)
    last = min(WIDEST, LIMITS["heads"] * config.head_dim)
    return sorted({*range(step, last + 1, step), config.dim})


@lru_cache(maxsize=512)
def widened(config: ViTConfig, dim: int) -> ViTConfig:
    """The model with another dim: heads as wide as before, and an MLP in the same ratio."""
    mlp_dim = min(max(1, round(dim * config.mlp_dim / config.dim)), LIMITS["mlp_dim"])
    return config.with_(dim=dim, heads=dim // config.head_dim, mlp_dim=mlp_dim)


def depth_for(config: ViTConfig, budget: int, unit: str) -> float:
    """The depth at which a model of this width would meet the budget; counts are linear in depth, so it is exact."""
    outside, block = _outside_and_block(config, unit)
    return min(max((budget - outside) / block, 0), LIMITS["depth"])


def block_count(config: ViTConfig, unit: str) -> int:
    """What one block of the model costs, in `unit`."""
    return _outside_and_block(config, unit)[1]


@lru_cache(maxsize=512)
def _outside_and_block(config: ViTConfig, unit: str) -> tuple[int, int]:
    one, two = (COUNTS[unit](config.with_(depth=depth)) for depth in (1, 2))
    return 2 * one - two, two - one


def _fitted(config: ViTConfig, budget: int, unit: str) -> Found:
    """The model with the MLP size that meets the budget best; counts are linear in it, too."""
    count = COUNTS[unit]
    slope = count(config.with_(mlp_dim=config.mlp_dim + 1)) - count(config) if config.mlp_dim < LIMITS["mlp_dim"] else 1
    steps = round((budget - count(config)) / (slope * MLP_STEP))
    gives = floor(config.mlp_dim * MLP_GIVES / MLP_STEP)
    mlp_dim = config.mlp_dim + MLP_STEP * min(max(steps, -gives), gives)
    fitted = config.with_(mlp_dim=min(mlp_dim, LIMITS["mlp_dim"]))
    return Found(fitted, count(fitted), count(fitted) / budget - 1)


def _distance(found: Found) -> float:
    return abs(found.off)
