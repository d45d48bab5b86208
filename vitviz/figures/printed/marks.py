"""What a figure for print is made of: pictures, boxes, lines, dots and words on a white sheet, in pixels of it."""

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Dash = Literal["solid", "dot", "dash", "dashdot"]
Anchor = Literal["start", "middle", "end"]
Outline = Literal["circle", "square", "diamond"]
INK, PALE = "#111111", "#b8b8b8"
TEXT = 15  # pixels that letters are high


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """Pixels `h w rgb` over a box; cells stay cells, nothing is smoothed unless it is a photo."""

    x: float
    y: float
    width: float
    height: float
    pixels: Pixels
    photo: bool = False
    opacity: float = 1


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle, filled or as a frame."""

    x: float
    y: float
    width: float
    height: float
    colour: str
    frame: float = 0  # pixels that the line is wide; 0: filled
    opacity: float = 1


@dataclass(frozen=True, slots=True)
class Line:
    """A line through points."""

    points: tuple[tuple[float, float], ...]
    colour: str
    width: float = 1.5
    dash: Dash = "solid"
    opacity: float = 1


@dataclass(frozen=True, slots=True)
class Dot:
    """A mark of `size` pixels around a place, filled or `hollow`; an edge of `edge` pixels goes around it."""

    x: float
    y: float
    size: float
    colour: str
    shape: Outline = "circle"
    hollow: bool = False
    edge: float = 0
    edge_colour: str = "#444444"
    opacity: float = 1


@dataclass(frozen=True, slots=True)
class Words:
    """Text on a line whose foot is at `y`; `lead` is written before it in bold.

    What is `turned` reads upwards, around its place.
    """

    x: float
    y: float
    text: str
    anchor: Anchor = "start"
    bold: bool = False
    size: int = TEXT
    colour: str = INK
    lead: str = ""
    turned: bool = False


Mark = Picture | Box | Line | Dot | Words


@dataclass(frozen=True, slots=True)
class Sheet:
    """A figure: its marks in the order in which they are drawn, and its title for who cannot see it."""

    width: int
    height: int
    title: str
    marks: tuple[Mark, ...]


def moved(mark: Mark, x: float, y: float) -> Mark:
    """The same mark elsewhere."""
    if isinstance(mark, Line):
        return replace(mark, points=tuple((px + x, py + y) for px, py in mark.points))
    changes: dict[str, Any] = {"x": mark.x + x, "y": mark.y + y}
    return replace(mark, **changes)


def left_out(x: float, y: float, width: float, height: float) -> tuple[Box, Words]:
    """What stands in place of a picture that is not to leave."""
    words = Words(x + width / 2, y + height / 2 + TEXT / 3, "the picture is left out", "middle")
    return Box(x, y, width, height, "#e6e6e6"), words
