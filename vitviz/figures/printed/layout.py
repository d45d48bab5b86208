"""Where panels lie on a sheet, from their units to pixels, and curves without corners."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import log

from vitviz.figures.figure import Axis, Figure, Panel
from vitviz.figures.printed.letters import most_of
from vitviz.figures.printed.marks import TEXT

TOP, RIGHT, TICKS, TICKED, SIDE = 10, 14, 52, 26, 3  # pixels around the plot
TITLED, HEADING, GAP = 26, 24, 22
HIGHEST = 560  # pixels of a picture, where nothing else is in the figure
STEPS = 12  # straight lines for each part of a curve
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Scale:
    """The plot's sides in pixels, and where numbers lie in it; its panel begins at `edge`."""

    edge: float
    left: float
    right: float
    top: float
    bottom: float
    x: Callable[[float], float]
    y: Callable[[float], float]

    def within(self, points: Sequence[Point]) -> Iterator[list[Point]]:
        """The parts of a line that lie in the plot, cut at its sides."""
        part: list[Point] = []
        for start, end in pairwise(points):
            cut = self._cut(start, end)
            if cut is None:
                continue
            if not part or part[-1] != cut[0]:
                if part:
                    yield part
                part = [cut[0]]
            part.append(cut[1])
        if part:
            yield part

    def _cut(self, start: Point, end: Point) -> tuple[Point, Point] | None:
        """What of a straight line lies in the plot (Liang and Barsky 1984)."""
        (x, y), dx, dy = start, end[0] - start[0], end[1] - start[1]
        first, last = 0.0, 1.0
        for along, room in ((-dx, x - self.left), (dx, self.right - x), (-dy, y - self.top), (dy, self.bottom - y)):
            if along == 0:
                if room < 0:
                    return None
            elif along < 0:
                first = max(first, room / along)
            else:
                last = min(last, room / along)
        if first > last:
            return None
        ends = [(x + at * dx, y + at * dy) for at in (first, last)]
        return (start if first == 0 else ends[0]), (end if last == 1 else ends[1])


def placed(figure: Figure, width: float, top: float) -> list[tuple[Panel, Scale]]:
    """Each panel with its plot: rows within a `width`, from `top` downwards."""
    found = []
    pictures = all(it.square is not None for row in figure.rows for it in row)
    for row in figure.rows:
        above = HEADING * max(len(it.title.splitlines()) for it in row)
        room = width - GAP * (len(row) - 1)
        shares = [it.wide / sum(it.wide for it in row) for it in row]
        left, bottom = 0.0, top
        for panel, share in zip(row, shares, strict=True):
            drawn = replace(panel, height=max(panel.height, HIGHEST)) if pictures else panel
            scale = _scale(drawn, left, share * room, top + above + TOP)
            found.append((panel, scale))
            left += share * room + GAP
            bottom = max(bottom, scale.bottom + foot(panel))
        top = bottom + GAP / 2
    return found


def foot(panel: Panel) -> float:
    """Pixels below a plot for its ticks and its title."""
    return (TICKS if panel.across.title else TICKED) if panel.across.ticks else float(SIDE)


def _scale(panel: Panel, left: float, width: float, top: float) -> Scale:
    longest = max((most_of(text, TEXT) for _, text in panel.down.ticks), default=0.0)
    margin = longest + 8 + TITLED * bool(panel.down.title) if panel.down.ticks else SIDE
    start = left + (min(float(panel.left), 0.45 * width) if panel.left else min(margin, 0.45 * width))
    after = 0.0
    if panel.right:
        after = 8 + TITLED + max(most_of(text, TEXT) for _, text in panel.right.ticks)
    end, bottom = left + width - RIGHT - after, top - TOP + panel.height - foot(panel)
    if panel.square is not None:
        high = abs(panel.down.high - panel.down.low) * panel.square / abs(panel.across.high - panel.across.low)
        wide = min(end - start, (bottom - top) / high)
        end, bottom = start + wide, top + wide * high
    return Scale(left, start, end, top, bottom, _along(panel.across, start, end), _along(panel.down, bottom, top))


def bent(points: Sequence[Point]) -> list[Point]:
    """A curve without corners that stays between its points, as many straight lines.

    Monotone cubic interpolation (Fritsch and Carlson 1980), as the app draws it.
    """
    if len(points) < 3:
        return list(points)
    slopes = _slopes(points)
    found = [points[0]]
    for ((x0, y0), (x1, y1)), (leaving, entering) in zip(pairwise(points), pairwise(slopes), strict=True):
        wide = x1 - x0
        for step in range(1, STEPS + 1):
            t = step / STEPS
            rise = (3 - 2 * t) * t * t
            curl = wide * t * (1 - t) * ((1 - t) * leaving - t * entering)
            found.append((x0 + t * wide, y0 + rise * (y1 - y0) + curl))
    return found


def _along(axis: Axis, start: float, end: float) -> Callable[[float], float]:
    def bend(value: float) -> float:
        return log(max(value, 5e-324)) if axis.log else value

    low, high = bend(axis.low), bend(axis.high)
    return lambda value: start + (bend(value) - low) / ((high - low) or 1) * (end - start)


def _slopes(points: Sequence[Point]) -> list[float]:
    """The slope at each point: none at a turn, and never so steep that the curve leaves its points."""
    secants = [(y1 - y0) / ((x1 - x0) or 1) for (x0, y0), (x1, y1) in pairwise(points)]
    found = []
    for before, after in zip([secants[0], *secants], [*secants, secants[-1]], strict=True):
        mean = (before + after) / 2
        steep = min(abs(mean), 3 * abs(before), 3 * abs(after))
        found.append(0.0 if before * after <= 0 else steep if mean > 0 else -steep)
    return found
