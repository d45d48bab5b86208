"""The outlines of dots, and how dashed lines are broken."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import hypot

from vitviz.figures.printed.marks import Dash, Dot, Line, Outline

Point = tuple[float, float]
# Corners around a middle, where half of the size is 1; a circle has none.
CORNERS: dict[Outline, tuple[Point, ...]] = {
    "square": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "diamond": ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
}
STROKES: dict[Dash, tuple[float, ...]] = {
    "solid": (),
    "dot": (1, 1),
    "dash": (3, 1.8),
    "dashdot": (3, 1.2, 1, 1.2),
}  # in widths of the line, of 3 pixels at least


def corners(dot: Dot) -> tuple[Point, ...]:
    """The corners of a dot that has some."""
    half = dot.size / 2
    return tuple((dot.x + half * x, dot.y + half * y) for x, y in CORNERS[dot.shape])


def strokes(line: Line) -> tuple[float, ...]:
    """Pixels drawn and left out in turn; nothing of a solid line."""
    return tuple(max(3.0, line.width) * part for part in STROKES[line.dash])


def broken(line: Line) -> Iterator[tuple[Point, ...]]:
    """The drawn parts of a dashed line, each from corner to corner."""
    parts = strokes(line)
    part, left, drawn = 0, parts[0], [line.points[0]]
    for start, end in pairwise(line.points):
        length, done = hypot(end[0] - start[0], end[1] - start[1]), 0.0
        while length - done > left:
            done += left
            place = _between(start, end, done / length)
            if part % 2 == 0:
                yield (*drawn, place)
            part, drawn = part + 1, [place]
            left = parts[part % len(parts)]
        left -= length - done
        drawn.append(end)
    if part % 2 == 0 and len(drawn) > 1:
        yield tuple(drawn)


def _between(start: Sequence[float], end: Sequence[float], share: float) -> Point:
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])
