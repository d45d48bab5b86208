"""Trace to numbers: what the chance of training, dropout and drop path, makes of an answer. Layers count from 0."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vitviz.machine.pytorch import no_grad, torch
from vitviz.measures.arrays import Array, to_numpy

if TYPE_CHECKING:
    from torch import Tensor

    from vitviz.trace import Trace

PARTS = ("attn.out", "mlp.out")  # of a block, each of which drop path takes or leaves
PATH_SITES = 10_000  # beyond those of dropout, so that the two draw apart


@dataclass(frozen=True, slots=True)
class ByChance:
    """Answers to one picture, each with other numbers left out.

    `probabilities`, `run classes`; `fell_out`, `run layer part`: whether drop path took attention or MLP of a block.
    """

    probabilities: Array
    fell_out: NDArray[np.bool_]


@no_grad
def answers_by_chance(trace: Trace, dropout: float, drop_path: float, first: int, last: int) -> ByChance:
    """The answers under dropout and drop path with seeds `first` to `last - 1`; rates as in training."""
    from vitviz.edits import Edits
    from vitviz.trace import record

    answers, left_out = [], []
    for seed in range(first, last):
        factors = path_factors(trace.config.depth, drop_path, seed)

        def drop(name: str, value: Tensor, factors: dict[str, float] = factors) -> Tensor:
            return value * factors[name] if name in factors else value

        edits = Edits.parse(f"d={dropout}@{seed}" if dropout else "", trace.config)
        run = record(trace.model, trace["image"].tensor[:1], drop, edits=edits)
        answers.append(run["logits"].tensor[0].float().softmax(dim=-1))
        left_out.append([not factor for factor in factors.values()])
    return ByChance(to_numpy(torch.stack(answers)), np.reshape(left_out, (len(answers), -1, len(PARTS))))


def path_factors(depth: int, rate: float, seed: int) -> dict[str, float]:
    """What drop path multiplies each addition to the stream by, 0 or 1 / (1 - its rate), by the activation's name.

    Chance is that of dropout, on one number for a whole addition (Huang et al. 2016, https://arxiv.org/abs/1603.09382).
    """
    from vitviz.edits.dropout import dropped_out

    one, factors = torch.ones(1, 1), {}
    for layer, own_rate in enumerate(path_rates(depth, rate)):
        for part, name in enumerate(PARTS):
            site = PATH_SITES + layer * len(PARTS) + part
            factors[f"blocks.{layer}.{name}"] = float(dropped_out(one, own_rate, seed, site))
    return factors


def path_rates(depth: int, rate: float) -> tuple[float, ...]:
    """The drop path rate of each block: from 0 in the first to `rate` in the last, rising linearly; to a thousandth."""
    return tuple(round(rate * layer / max(1, depth - 1), 3) for layer in range(depth))


def nothing_falls_out(depth: int, rate: float) -> float:
    """The probability that drop path takes nothing from a forward pass."""
    return prod((1 - own_rate) ** len(PARTS) for own_rate in path_rates(depth, rate))
