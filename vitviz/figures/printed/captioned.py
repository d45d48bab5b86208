"""A figure on a sheet for print, and what stands under its panels: colour scale, legend, caption and source."""

import textwrap
from collections.abc import Iterator, Sequence

from vitviz import __version__
from vitviz.figures.colours import table
from vitviz.figures.figure import Figure, Key
from vitviz.figures.marks import Anchor, Colours
from vitviz.figures.printed.drawn import NO_FILL, drawn
from vitviz.figures.printed.letters import width_of
from vitviz.figures.printed.marks import TEXT, Box, Dot, Mark, Picture, Polyline, Sheet, Words, bounds, moved
from vitviz.numbers import small

EDGE = 24  # pixels around all
PER_LETTER = 7.6  # pixels of the caption, about
LINE = 20
GREY = "#595959"
FOOT = 12
KEY_GAP, KEY_LINE = 18, 24
BAR, BAR_WIDE = 12, 260  # pixels of a colour scale


def sheet_of(figure: Figure, caption: str, width: int = 960, *, photos: bool = True) -> Sheet:
    """A figure with its caption and its source; without `photos` somebody's own picture is left out of it."""
    room = width - 2 * EDGE
    marks = drawn(figure, room, photos)
    bottom = bounds(marks)[3]
    if figure.scale:
        marks += _colour_scale(figure.scale, min(BAR_WIDE, room), bottom + 12)
        bottom = bounds(marks)[3]
    if figure.says and figure.handles:
        marks.append(Words(0, bottom + 24, figure.says, bold=True))
        bottom += KEY_LINE
    marks += _legend(figure.legend, room, bottom)
    _, top, _, bottom = bounds(marks)
    top = min(0.0, top)
    foot = bottom - top + EDGE + FOOT
    lines = [Words(EDGE, 0, line) for line in wrapped(caption, width)]
    lines.append(Words(EDGE, 0, f"Made with vitviz {__version__}", colour=GREY))
    placed = [moved(mark, EDGE, EDGE - top) for mark in marks]
    placed += [moved(line, 0, foot + LINE * at) for at, line in enumerate(lines, start=1)]
    return Sheet(width, round(foot + LINE * (len(lines) + 1)), caption, tuple(placed))


def wrapped(text: str, width: int) -> list[str]:
    """Words in lines of a sheet so many pixels wide."""
    return textwrap.wrap(text, max(20, round((width - 2 * EDGE) / PER_LETTER)))


def _colour_scale(colours: Colours, width: float, top: float) -> Iterator[Mark]:
    """The colours from the least to the largest number, with what they stand for."""
    yield Picture(0, top, width, BAR, table(colours.signed)[None])
    anchors: tuple[Anchor, ...] = ("start", "middle", "end") if colours.signed else ("start", "end")
    for at, (number, anchor) in enumerate(zip(colours.ends, anchors, strict=True)):
        yield Words(at / (len(anchors) - 1) * width, top + 30, small(number), anchor)


def _legend(keys: Sequence[Key], width: float, top: float) -> Iterator[Mark]:
    x, y = 0.0, top + KEY_LINE - 4
    for key in keys:
        swatch = 0 if key.colour in NO_FILL else 15 if key.dash == "area" else 30
        wide = swatch + 6 * bool(swatch) + width_of(key.text, TEXT)
        if x and x + wide > width:
            x, y = 0.0, y + KEY_LINE
        if swatch and key.dash == "area" and key.shape in ("circle", "diamond"):
            yield Dot(x + swatch / 2, y - 5, 11, key.colour, key.shape)
        elif swatch and key.dash == "area":
            yield Box(x, y - 12, swatch, 14, key.colour)
        elif swatch and key.dash != "area":
            yield Polyline(((x, y - 5), (x + swatch, y - 5)), key.colour, 4, key.dash)
        yield Words(x + swatch + 6 * bool(swatch), y, key.text)
        x += wide + KEY_GAP
