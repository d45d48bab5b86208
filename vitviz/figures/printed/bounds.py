"""How much room marks take."""

from collections.abc import Iterable

from vitviz.figures.printed.letters import width_of
from vitviz.figures.printed.marks import Dot, Line, Mark, Words

Bounds = tuple[float, float, float, float]  # left, top, right, bottom


def bounds(marks: Iterable[Mark]) -> Bounds:
    """The box around all of them."""
    boxes = list(map(_around, marks))
    if not boxes:
        return 0.0, 0.0, 0.0, 0.0
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _around(mark: Mark) -> Bounds:
    match mark:
        case Line():
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
