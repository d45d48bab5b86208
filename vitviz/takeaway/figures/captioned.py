"""What stands under every figure: its caption, and what it was made with."""

import textwrap
from collections.abc import Sequence

from vitviz import __version__
from vitviz.takeaway.figures.marks import Mark, Sheet, Words

EDGE = 24  # pixels around all
PER_LETTER = 7.6  # pixels of the caption, about
LINE = 20
GREY = "#595959"


def captioned(width: int, height: float, marks: Sequence[Mark], caption: str) -> Sheet:
    """A sheet with marks as high as `height`, and the caption and the source line under them."""
    lines = textwrap.wrap(caption, max(20, round((width - 2 * EDGE) / PER_LETTER)))
    words = [Words(EDGE, height + LINE * (at + 1), line) for at, line in enumerate(lines)]
    words.append(Words(EDGE, height + LINE * (len(lines) + 1), f"Made with vitviz {__version__}", colour=GREY))
    return Sheet(width, round(height + LINE * (len(lines) + 2)), caption, (*marks, *words))
