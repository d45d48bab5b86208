"""Pictures beside each other, and charts below them, as a slider of the app shows them at one of its stops."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from vitviz import palette
from vitviz.charts.chart import Chart
from vitviz.takeaway.data import Named, outline
from vitviz.takeaway.errors import NEEDS_TICK, TakeawayError
from vitviz.takeaway.figures.bounds import bounds
from vitviz.takeaway.figures.captioned import EDGE, PER_LETTER, captioned
from vitviz.takeaway.figures.charts.chart import drawn_of
from vitviz.takeaway.figures.marks import Box, Line, Mark, Picture, Pixels, Sheet, Words, left_out, moved

GAP, LINE, ABREAST = 22, 20, 3
WIDEST = 420  # pixels of a picture


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A picture `h w rgb` under its title; `grid` are the rows and columns of lines over it, `box` what is framed.

    The box has left, top, width and height as shares of the sides. A `photo` shows somebody's picture.
    """

    title: str
    pixels: Pixels
    grid: tuple[int, int] | None = None
    box: tuple[float, float, float, float] | None = None
    photo: bool = True


def sheet_of(
    shown: Sequence[Shown], charts: Sequence[Chart], caption: str, width: int = 960, *, photos: bool = True
) -> Sheet:
    """Pictures, up to three in a line, and charts under them; without `photos` those are left out and say so."""
    room = width - 2 * EDGE
    abreast = min(ABREAST, len(shown)) or 1
    wide = min(float(WIDEST), (room - GAP * (abreast - 1)) / abreast)
    marks: list[Mark] = []
    below = float(EDGE)
    for start in range(0, len(shown), abreast):
        line = shown[start : start + abreast]
        names = [textwrap.wrap(it.title, round(wide / (1.1 * PER_LETTER))) for it in line]
        above = LINE * max(map(len, names)) + 6
        for place, (it, words) in enumerate(zip(line, names, strict=True)):
            x = EDGE + place * (wide + GAP)
            marks += [Words(x, below + LINE * (at + 1) - 5, text, bold=True) for at, text in enumerate(words)]
            marks += (moved(mark, x, below + above) for mark in _picture(it, wide, photos))
        below = bounds(marks)[3] + GAP
    for chart in charts:
        marks += (moved(mark, EDGE, below) for mark in drawn_of(chart, room))
        below = bounds(marks)[3] + GAP
    return captioned(width, below, marks, caption)


def arrays_of(shown: Sequence[Shown], *, photos: bool = True, whole: bool = True) -> list[Named]:
    """The pixels of the pictures; without `photos` not those of somebody's own, not `whole` their outlines alone.

    Raises `TakeawayError` where there are no others.
    """
    axes = ("row", "column", "channel")
    channels = {"channel": ("red", "green", "blue")}
    them = [it for it in shown if photos or not it.photo]
    pixels = [it.pixels.astype(np.int64) if whole else outline(it.pixels) for it in them]
    found = [Named(it.title, its, axes, channels, "") for it, its in zip(them, pixels, strict=True)]
    if not found:
        raise TakeawayError(NEEDS_TICK)
    return found


def _picture(it: Shown, wide: float, photos: bool) -> Iterator[Mark]:
    height = wide * it.pixels.shape[0] / it.pixels.shape[1]
    if it.photo and not photos:
        yield from left_out(0, 0, wide, height)
        return
    yield Picture(0, 0, wide, height, it.pixels, it.photo)
    if it.grid:
        rows, columns = it.grid
        for row in range(1, rows):
            yield Line(((0, row / rows * height), (wide, row / rows * height)), "#ffffff", 0.7, opacity=0.8)
        for column in range(1, columns):
            yield Line(((column / columns * wide, 0), (column / columns * wide, height)), "#ffffff", 0.7, opacity=0.8)
    if it.box:
        left, top, across, down = it.box
        yield Box(left * wide, top * height, across * wide, down * height, palette.FRAME, 4)
