"""How far the numbers of traces reach, and how wide their bars are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vitviz.takeaway.figures.plots.pixels import pixels_of

PAST = 0.05  # of the way, beyond curves and bars
PAST_DOTS = 0.06
BAR_GAP = 0.2  # between bars, of the way from one to the next, where the layout says nothing
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Extent:
    """From the least to the largest place, and what places are called."""

    low: float
    high: float
    categories: tuple[str, ...]


def extent_of(traces: Sequence[Any], letter: str, layout: Any, log: bool) -> Extent:
    """How long an axis must be for all these traces."""
    names = [it for trace in traces for it in _given(trace, letter) if isinstance(it, str)]
    categories = tuple(dict.fromkeys(names))
    ends = [_ends(trace, letter, categories, layout, log) for trace in traces]
    found = [it for it in ends if it]
    if not found:
        return Extent(0.0, 1.0, categories)
    low, high = min(low for low, _ in found), max(high for _, high in found)
    return Extent(low, high, categories) if high > low else Extent(low - 1, high + 1, categories)


def numbers_of(values: Any, categories: tuple[str, ...]) -> Floats:
    """Numbers, or names as the numbers of their places."""
    places = {name: at for at, name in enumerate(categories)}
    if categories:
        return np.array([places[it] if isinstance(it, str) else it for it in values], float)
    return np.asarray(values, float)


def cells(trace: Any, letter: str, count: int, places: Floats | None) -> Floats:
    """The edges of `count` cells along an axis."""
    if places is None or len(places) == 0:
        start = getattr(trace, f"{letter}0")
        step = getattr(trace, f"d{letter}")
        start, step = 0.0 if start is None else float(start), 1.0 if step is None else float(step)
        return np.asarray(start + step * (np.arange(count + 1) - 0.5))
    between = (places[1:] + places[:-1]) / 2
    first = places[0] - (places[1] - places[0]) / 2 if count > 1 else places[0] - 0.5
    last = places[-1] + (places[-1] - places[-2]) / 2 if count > 1 else places[0] + 0.5
    return np.array([first, *between, last])


def bar_width(places: Floats, traces: Sequence[Any], layout: Any) -> float:
    """How wide one of the bars at some places is, where so many `traces` stand beside each other."""
    apart = float(np.diff(np.unique(places)).min()) if len(np.unique(places)) > 1 else 1.0
    gap = BAR_GAP if layout.bargap is None else layout.bargap
    return apart * (1 - gap) / len(traces)


def _given(trace: Any, letter: str) -> Sequence[Any]:
    values = getattr(trace, letter, None)
    return () if values is None else values


def _ends(trace: Any, letter: str, categories: tuple[str, ...], layout: Any, log: bool) -> tuple[float, float] | None:
    given = numbers_of(_given(trace, letter), categories)
    match trace.type:
        case "heatmap":
            rows, columns = np.shape(trace.z)
            edges = cells(trace, letter, columns if letter == "x" else rows, given)
            return float(edges.min()), float(edges.max())
        case "image":
            edges = cells(trace, letter, 0, None)
            first, step = edges[0], float(getattr(trace, f"d{letter}") or 1)
            return first, first + step * side(trace, letter)
        case "bar":
            along = (trace.orientation or "v") == ("v" if letter == "x" else "h")
            if along:
                wide = trace.width if trace.width is not None else 1.0
                return float((given - np.asarray(wide) / 2).min()), float((given + np.asarray(wide) / 2).max())
            return _past(np.append(given, 0.0), PAST, log, keep=0.0)
    dotted = "markers" in (trace.mode or "")
    return _past(given, PAST_DOTS if dotted else PAST * (letter == "y"), log)


def side(trace: Any, letter: str) -> int:
    """How many pixels a picture has along an axis."""
    height, width = pixels_of(trace).shape[:2]
    return int(width if letter == "x" else height)


def _past(values: Floats, past: float, log: bool, keep: float | None = None) -> tuple[float, float] | None:
    """The ends of numbers and somewhat more, but not beyond the one to `keep`."""
    seen = values[np.isfinite(values) & ((values > 0) | (not log))]
    if not len(seen):
        return None
    low, high = float(seen.min()), float(seen.max())
    more = 0.0 if log else past * (high - low)
    return (low if low == keep else low - more), (high if high == keep else high + more)
