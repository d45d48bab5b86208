"""Trace to numbers: what the chance of training, dropout and drop path, makes of an answer. Layers count from 0."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vitviz.edits import Edits
from vitviz.machine.pytorch import no_grad, torch
from vitviz.measures.arrays import Array, to_numpy

if TYPE_CHECKING:
    from vitviz.trace import Trace

BRANCHES = 2  # of a block: attention and MLP


@dataclass(frozen=True, slots=True)
class ByChance:
    """Answers to one picture, each with other numbers left out.

    `probabilities`, `run classes`; `fell_out`, `run layer branch`: whether drop path took attention or MLP of a block.
    """

    probabilities: Array
    fell_out: NDArray[np.bool_]


@no_grad
def answers_by_chance(trace: Trace, dropout: float, drop_path: float, first: int, last: int) -> ByChance:
    """The answers under dropout and drop path with seeds `first` to `last - 1`; rates as in training."""
    from vitviz.edits.dropout import path
    from vitviz.trace import record

    config, answers, left_out = trace.config.with_(dropout=dropout, drop_path=drop_path), [], []
    for seed in range(first, last):
        run = record(trace.model, trace["image"].tensor[:1], edits=Edits.in_training(config, seed))
        answers.append(run["logits"].tensor[0].float().softmax(dim=-1))
        factors = [
            [path(drop_path, seed, layer, config.depth, branch) for branch in range(BRANCHES)]
            for layer in range(config.depth)
        ]
        left_out.append(np.array(factors) == 0)
    return ByChance(to_numpy(torch.stack(answers)), np.stack(left_out))


def path_rates(depth: int, rate: float) -> tuple[float, ...]:
    """The drop path rate of each block: from 0 in the first to `rate` in the last, rising linearly."""
    return tuple(rate * layer / max(1, depth - 1) for layer in range(depth))


def nothing_falls_out(depth: int, rate: float) -> float:
    """The probability that drop path takes nothing from a forward pass."""
    return prod((1 - own_rate) ** BRANCHES for own_rate in path_rates(depth, rate))
