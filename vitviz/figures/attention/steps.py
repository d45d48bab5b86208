"""Figures of one query's way through one head: vectors as strips of bars, each in the colour of its role."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from vitviz import numbers, palette
from vitviz.figures.axes import linear, tokens
from vitviz.figures.figure import Axis, Figure, Numbers, Panel
from vitviz.figures.marks import Bars, Floats, Says
from vitviz.figures.parts import framed, level

Named = tuple[str, Floats]
Strip = tuple[str, Floats, str]  # a vector's name, its numbers, and the colour of its role

NONE: Mapping[str, Floats] = MappingProxyType({})
STRIP, ROW = 68, 126  # pixels
TICKS, LEFT = 26, 56  # pixels below the lowest of them, and beside each
LEFT_OUT = "left out: its weight is 0"  # of a score that top-k does not keep
APART = 64  # bars that there is room to draw apart from each other


def dot_product(q: Floats, k: Floats, key: str) -> Figure:
    """q and k of one head, `dh` each, on one scale, and below them their product term by term."""
    above = [("q of the query", q, palette.QUERY), (f"k of {key}", k, palette.KEY)]
    below = [("q · k, term by term", q * k, palette.SCORES)]
    return _strips(above, below, "{q:.4f} · {k:.4f} = {value:.4f}", {"q": q, "k": k})


def weighted_values(parts: Sequence[Named], totals: Sequence[Named]) -> Figure:
    """What single keys hand over, weight · v, `dh` each, all on one scale; below them their totals, on another."""
    above, below = ([(*named, palette.VALUE) for named in group] for group in (parts, totals))
    return _strips(above, below)


def scores_and_weights(
    scores: Floats, weights: Floats, names: Sequence[str], prefix: Sequence[str], key: int
) -> Figure:
    """All scores of one query, `k`, and the weights that softmax makes of them; prefix tokens first, `key` framed."""
    count, uniform = len(names), 1 / len(names)
    places = np.arange(count)
    thick = 0.88 if count <= APART else 1
    colours = np.where(places < len(prefix), palette.CLASS_TOKEN, palette.KEY).tolist()
    panels = []
    for title, values, marks in (
        ("score of every key", scores, ()),
        (f"its weight; dashed: uniform, {numbers.small(uniform)}", weights, (level(uniform, -0.5, count - 0.5),)),
    ):
        finite = np.where(np.isfinite(values), values, 0)
        low, high = 1.05 * min(0.0, float(finite.min())), 1.05 * max(0.0, float(finite.max()))
        high = high if low < high else 1.0  # all are 0
        texts = [f"{value:.4f}" if np.isfinite(value) else LEFT_OUT for value in values]
        bars = Bars(places, finite, colours, Says("{name}\n{said}", {"name": names, "said": texts}), thick)
        drawn = (bars, *marks, framed(low + 0.5, key, high - low))
        panels.append(Panel(tokens(count, prefix), linear(high, ticks=4, low=low), drawn, ROW, title))
    parts = (
        Numbers("scores", ("key",), scores, "The score of every key."),
        Numbers("weights", ("key",), weights, "The weight of every key."),
    )
    return _stack(panels, parts)


def _strips(
    above: Sequence[Strip],
    below: Sequence[Strip],
    words: str = "{value:.4f}",
    columns: Mapping[str, Floats] = NONE,
) -> Figure:
    """Bars of several vectors, one vector below the other, each from -limit to limit: one for those above, one below.

    `words` with `columns` are said of those below.
    """
    panels, parts = [], []
    for strips, text in ((above, "{value:.4f}"), (below, words)):
        limit = max(float(np.abs(values).max()) for _, values, _ in strips)
        span = 1.1 * limit or 1.0
        down = Axis(
            -span, span, ticks=tuple((end, numbers.small(end)) for end in sorted({-limit, 0.0, limit})), named=True
        )
        for name, values, colour in strips:
            places = np.arange(1, len(values) + 1)
            says = Says(f"number {{number}}\n{text}", {"number": places, **columns})
            across = replace(linear(len(values) + 0.5, low=0.5), grid=False)
            panels.append(Panel(across, down, (Bars(places, values, (colour,), says),), STRIP, name))
            parts.append(Numbers(name, ("component",), values))
    return _stack(panels, parts)


def _stack(panels: Sequence[Panel], numbers: Sequence[Numbers]) -> Figure:
    """Panels below each other over one axis, which the lowest has."""
    *upper, last = panels
    rows = [(replace(panel, across=replace(panel.across, ticks=()), left=LEFT),) for panel in upper]
    return Figure((*rows, (replace(last, height=last.height + TICKS, left=LEFT),)), numbers=tuple(numbers))
