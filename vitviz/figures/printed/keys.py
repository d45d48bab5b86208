"""What stands below a figure: its colour scale, and its legend."""

from collections.abc import Iterator, Sequence

from vitviz.figures.colours import table
from vitviz.figures.figure import Key
from vitviz.figures.marks import Anchor, Colours
from vitviz.figures.printed.letters import width_of
from vitviz.figures.printed.marks import TEXT, Box, Dot, Line, Mark, Picture, Words
from vitviz.numbers import small

NO_FILL = ("none", "transparent")
KEY_GAP, KEY_LINE = 18, 24
BAR, BAR_WIDE = 12, 260  # pixels of a colour scale


def colour_scale(colours: Colours, width: float, top: float) -> Iterator[Mark]:
    """The colours from the least to the largest number, with what they stand for."""
    yield Picture(0, top, width, BAR, table(colours.signed)[None])
    anchors: tuple[Anchor, ...] = ("start", "middle", "end") if colours.signed else ("start", "end")
    for at, (number, anchor) in enumerate(zip(colours.ends, anchors, strict=True)):
        yield Words(at / (len(anchors) - 1) * width, top + 30, small(number), anchor)


def legend(keys: Sequence[Key], width: float, top: float) -> Iterator[Mark]:
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
            yield Line(((x, y - 5), (x + swatch, y - 5)), key.colour, 4, key.dash)
        yield Words(x + swatch + 6 * bool(swatch), y, key.text)
        x += wide + KEY_GAP
