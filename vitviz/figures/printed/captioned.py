"""What stands under every figure for print: its caption, and what it was made with."""

import textwrap
from collections.abc import Sequence

from vitviz import __version__
from vitviz.figures.figure import Figure
from vitviz.figures.printed.drawn import drawn
from vitviz.figures.printed.marks import Mark, Sheet, Words, bounds, moved

EDGE = 24  # pixels around all
PER_LETTER = 7.6  # pixels of the caption, about
LINE = 20
GREY = "#595959"
FOOT = 12


def captioned(width: int, height: float, marks: Sequence[Mark], caption: str) -> Sheet:
    """A sheet with marks as high as `height`, and the caption and the source line under them."""
    lines = textwrap.wrap(caption, max(20, round((width - 2 * EDGE) / PER_LETTER)))
    words = [Words(EDGE, height + LINE * (at + 1), line) for at, line in enumerate(lines)]
    words.append(Words(EDGE, height + LINE * (len(lines) + 1), f"Made with vitviz {__version__}", colour=GREY))
    return Sheet(width, round(height + LINE * (len(lines) + 2)), caption, (*marks, *words))


def sheet_of(figure: Figure, caption: str, width: int = 960, *, photos: bool = True) -> Sheet:
    """A figure with its caption and its source; without `photos` somebody's own picture is left out of it."""
    marks = drawn(figure, width - 2 * EDGE, photos)
    box = bounds(marks)
    placed = [moved(mark, EDGE, EDGE - min(0.0, box[1])) for mark in marks]
    return captioned(width, box[3] - min(0.0, box[1]) + EDGE + FOOT, placed, caption)
