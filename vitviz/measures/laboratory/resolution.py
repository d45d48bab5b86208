"""Trace to numbers: what a model sees and answers at one picture size, and how long that takes."""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from vitviz.machine.device import synchronise
from vitviz.machine.pytorch import no_grad
from vitviz.measures.arrays import Array, to_numpy
from vitviz.measures.attention import attention_row
from vitviz.measures.tokens import position_maps

if TYPE_CHECKING:
    from vitviz.trace import Trace

Place = tuple[float, float]  # rows and columns, as shares of a picture's sides
ENOUGH = 0.5  # seconds of passes that are clocked, after which no more are


@dataclass(frozen=True, slots=True)
class AtSize:
    """One model at one picture size: `probabilities`, `classes`, none without a head; what one head's query looks at.

    `weights`, `gh gw`, times the number of tokens: 1 is what each would have if all had the same. `alike`, `gh gw`: how
    like the position of that place those of all patches are, from -1 to 1. `seconds` are those of the
    quickest of the passes that were clocked, infinite where none was.
    """

    probabilities: Array
    weights: Array
    alike: Array
    seconds: float


@no_grad
def at_this_size(trace: Trace, layer: int, head: int, place: Place, prefix: int | None, rounds: int) -> AtSize:
    """What a head sees from a `place`, or from a `prefix` token, and the answer; up to so many `rounds` are clocked."""
    config, outside = trace.config, len(trace.config.prefix_tokens)
    row, column = cell_at(place, config.grid)
    query = outside + row * config.grid[1] + column if prefix is None else prefix
    weights = attention_row(trace, layer, query)[head, outside:] * config.tokens
    logits = trace["logits"].tensor[0].float()
    return AtSize(
        to_numpy(logits.softmax(dim=-1) if config.classes else logits[:0]),
        weights.reshape(config.grid),
        position_maps(trace, row, column, max(config.grid))[0, 0],
        _quickest(trace, rounds),
    )


def cell_at(place: Place, grid: tuple[int, int]) -> tuple[int, int]:
    """Row and column of the patch in which a place lies, given as shares of the picture's sides."""
    row, column = (min(many - 1, int(share * many)) for share, many in zip(place, grid, strict=True))
    return row, column


def _quickest(trace: Trace, rounds: int) -> float:
    """Seconds of the quickest of a few forward passes."""
    image = trace["image"].tensor
    spent: list[float] = []
    while len(spent) < rounds and sum(spent) < ENOUGH:
        started = time.perf_counter()
        trace.model(image)
        synchronise()
        spent.append(time.perf_counter() - started)
    return min(spent, default=inf)
