"""What a figure for print is made of: pictures, boxes, lines and words on a white sheet, in pixels from its corner."""

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
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


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle, filled or as a frame."""

    x: float
    y: float
    width: float
    height: float
    colour: str
    frame: float = 0  # pixels that the line is wide; 0: filled


@dataclass(frozen=True, slots=True)
class Line:
    """A line through points."""

    points: tuple[tuple[float, float], ...]
    colour: str
    width: float = 1.5
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """Text on a line whose foot is at `y`."""

    x: float
    y: float
    text: str
    anchor: Literal["start", "middle", "end"] = "start"
    bold: bool = False
    size: int = TEXT
    colour: str = INK


Mark = Picture | Box | Line | Words


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
