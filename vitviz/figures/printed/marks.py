"""What a figure for print is made of: pictures, boxes, lines, dots and words on a white sheet, in pixels of it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from vitviz.figures.marks import Anchor, Dash, Pair, Pixels, Shape
from vitviz.figures.printed.letters import width_of

INK, PALE = "#111111", "#b8b8b8"
TEXT = 15  # pixels that letters are high
SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, 1))
CORNERS = {"square": SQUARE, "box": SQUARE, "diamond": ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0))}  # of a size of 2
STROKES: dict[Dash, tuple[float, ...]] = {
    "solid": (),
    "dot": (1, 1),
    "dash": (3, 1.8),
    "dashdot": (3, 1.2, 1, 1.2),
}  # in widths of the line, of 3 pixels at least


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
class Polyline:
    """A line through points."""

    points: tuple[Pair, ...]
    colour: str
    width: float = 1.5
    dash: Dash = "solid"
    opacity: float = 1

    @property
    def strokes(self) -> tuple[float, ...]:
        """Pixels drawn and left out in turn; nothing of a solid line."""
        return tuple(max(3.0, self.width) * part for part in STROKES[self.dash])


@dataclass(frozen=True, slots=True)
class Dot:
    """A mark of `size` pixels around a place, and an edge of `edge` pixels around it, which is all of a hollow one."""

    x: float
    y: float
    size: float
    colour: str
    shape: Shape = "circle"
    edge: float = 0
    edge_colour: str = "#444444"
    opacity: float = 1

    @property
    def hollow(self) -> bool:
        return self.shape in ("ring", "box")

    @property
    def corners(self) -> tuple[Pair, ...]:
        """Its corners; a circle and a ring have none."""
        half = self.size / 2
        return tuple((self.x + half * x, self.y + half * y) for x, y in CORNERS.get(self.shape, ()))


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


Mark = Picture | Box | Polyline | Dot | Words


@dataclass(frozen=True, slots=True)
class Sheet:
    """A figure: its marks in the order in which they are drawn, and its title for who cannot see it."""

    width: int
    height: int
    title: str
    marks: tuple[Mark, ...]


def moved(mark: Mark, x: float, y: float) -> Mark:
    """The same mark elsewhere."""
    if isinstance(mark, Polyline):
        return replace(mark, points=tuple((px + x, py + y) for px, py in mark.points))
    changes: dict[str, Any] = {"x": mark.x + x, "y": mark.y + y}
    return replace(mark, **changes)


def bounds(marks: Iterable[Mark]) -> tuple[float, float, float, float]:
    """The box around all of them: left, top, right, bottom."""
    lefts, tops, rights, bottoms = zip(*(list(map(_around, marks)) or [(0.0,) * 4]), strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _around(mark: Mark) -> tuple[float, float, float, float]:
    match mark:
        case Polyline():
            xs, ys = zip(*mark.points, strict=True)
            return min(xs), min(ys), max(xs), max(ys)
        case Dot():
            half = mark.size / 2
            return mark.x - half, mark.y - half, mark.x + half, mark.y + half
        case Words():
            wide = width_of(mark.lead + mark.text, mark.size)
            before = {"start": 0.0, "middle": wide / 2, "end": wide}[mark.anchor]
            if mark.turned:
                return mark.x - mark.size, mark.y - wide + before, mark.x + 4, mark.y + before
            return mark.x - before, mark.y - mark.size, mark.x - before + wide, mark.y + 4
    return mark.x, mark.y, mark.x + mark.width, mark.y + mark.height
