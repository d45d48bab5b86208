"""Axes of a Plotly figure: how long they are in numbers, and where they lie on a sheet in pixels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import log10
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from vitviz.takeaway.figures.plots.extents import Extent, extent_of, numbers_of

if TYPE_CHECKING:
    import plotly.graph_objects as go

Letter = Literal["x", "y"]
TOWARDS = {"left": 0.0, "top": 0.0, "center": 0.5, "middle": 0.5, "right": 1.0, "bottom": 1.0}


@dataclass(frozen=True, slots=True)
class Area:
    """The rectangle in which all axes lie: Plotly's paper."""

    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Axis:
    """From `low` to `high`, powers of ten where it is `log`, between two places in pixels; `start` is at `low`."""

    name: str
    given: Any  # as the layout has it
    low: float
    high: float
    log: bool = False
    categories: tuple[str, ...] = ()
    start: float = 0
    end: float = 0

    def at(self, values: Any) -> NDArray[np.float64]:
        """Numbers, or names of places, in pixels."""
        return self.at_numbers(self.numbers(values))

    def at_numbers(self, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        """Numbers in pixels."""
        if self.log:
            with np.errstate(divide="ignore", invalid="ignore"):
                numbers = np.log10(numbers)
        return self.start + (numbers - self.low) / ((self.high - self.low) or 1) * (self.end - self.start)

    def one(self, value: Any) -> float:
        """One of them."""
        return float(self.at([value])[0])

    def numbers(self, values: Any) -> NDArray[np.float64]:
        """Names as the numbers of their places."""
        return numbers_of(values, self.categories)

    @property
    def span(self) -> tuple[float, float]:
        """The smaller and the larger of its ends in pixels."""
        return min(self.start, self.end), max(self.start, self.end)

    @property
    def bounds(self) -> tuple[float, float]:
        """The smaller and the larger of its numbers, powers of ten where it is `log`."""
        return min(self.low, self.high), max(self.low, self.high)


@dataclass(frozen=True, slots=True)
class Axes:
    """All axes of a figure by their names."""

    area: Area
    named: dict[str, Axis] = field(default_factory=dict)

    def of(self, trace: Any) -> tuple[Axis, Axis]:
        """Those that a trace is drawn on."""
        return self.named[trace.xaxis or "x"], self.named[trace.yaxis or "y"]

    def anchor(self, axis: Axis) -> Axis:
        """The axis at whose end another one stands."""
        usual = "y" if axis.name.startswith("x") else "x"
        return self.named.get(axis.given.anchor or usual) or self.named[usual]

    def across(self) -> Iterator[Axis]:
        """Those from left to right."""
        return (axis for name, axis in self.named.items() if name.startswith("x"))

    def up(self) -> Iterator[Axis]:
        """Those from the bottom to the top."""
        return (axis for name, axis in self.named.items() if name.startswith("y"))


def axes_of(figure: go.Figure) -> dict[str, Axis]:
    """The axes of a figure by their names, as long as their numbers ask for; they lie nowhere yet."""
    found: dict[str, Axis] = {}
    for letter in ("x", "y"):
        for name in sorted({getattr(trace, f"{letter}axis") or letter for trace in figure.data} or {letter}):
            given = figure.layout[f"{letter}axis{name[1:]}"]
            drawn = [trace for trace in figure.data if (getattr(trace, f"{letter}axis") or letter) == name]
            extent = extent_of(drawn, letter, figure.layout, given.type == "log")
            low, high = _ends(given, extent)
            found[name] = Axis(name, given, low, high, given.type == "log", extent.categories)
    return found


def laid(named: dict[str, Axis], area: Area) -> Axes:
    """The same axes within an area; those of a picture keep its sides equal."""
    placed: dict[str, Axis] = {}
    for name, axis in named.items():
        low, high = axis.given.domain or (0.0, 1.0)
        if name.startswith("x"):
            ends = area.left + low * area.width, area.left + high * area.width
        else:
            ends = area.top + (1 - low) * area.height, area.top + (1 - high) * area.height
        placed[name] = replace(axis, start=ends[0], end=ends[1])
    for name, down in list(placed.items()):
        if down.given.scaleanchor:
            across = placed[down.given.scaleanchor]
            placed[across.name], placed[name] = _squared(across, down)
    return Axes(area, placed)


def height_for(named: dict[str, Axis], width: float) -> float:
    """How high the area has to be for the pictures in it to be as wide as there is room; 0 where there are none."""
    return max((_height(named[it.given.scaleanchor], it, width) for it in _pictured(named)), default=0.0)


def _pictured(named: dict[str, Axis]) -> Iterator[Axis]:
    return (axis for axis in named.values() if axis.given.scaleanchor)


def _height(across: Axis, down: Axis, width: float) -> float:
    shares = [high - low for low, high in (it.given.domain or (0.0, 1.0) for it in (across, down))]
    return width * shares[0] / _wide(across) * _wide(down) * (down.given.scaleratio or 1) / shares[1]


def _squared(across: Axis, down: Axis) -> tuple[Axis, Axis]:
    """Both with equal pixels for a number, the longer one shortened to where its layout says."""
    ratio = down.given.scaleratio or 1
    per_number = [abs(it.end - it.start) / _wide(it) for it in (across, down)]
    unit = min(per_number[0], per_number[1] / ratio)
    return _shortened(across, unit * _wide(across), "center"), _shortened(down, unit * ratio * _wide(down), "middle")


def _shortened(axis: Axis, length: float, usual: str) -> Axis:
    low, high = axis.span
    start = low + TOWARDS[axis.given.constraintoward or usual] * (high - low - length)
    ends = (start, start + length) if axis.start < axis.end else (start + length, start)
    return replace(axis, start=ends[0], end=ends[1])


def _wide(axis: Axis) -> float:
    return abs(axis.high - axis.low) or 1.0


def _ends(given: Any, extent: Extent) -> tuple[float, float]:
    if given.range is not None and not given.autorange:
        low, high = given.range
        return float(low), float(high)
    low, high = extent.low, extent.high
    if given.type == "log":
        low, high = log10(low), log10(high)
        low, high = low - 0.05 * (high - low), high + 0.05 * (high - low)
    return (high, low) if given.autorange == "reversed" else (low, high)
