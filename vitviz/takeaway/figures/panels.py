"""Parts of a figure, each as marks from its own corner: a photo, a map, bars, curves."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from vitviz import palette
from vitviz.figures.scales import colours
from vitviz.numbers import small
from vitviz.takeaway.figures.marks import INK, PALE, TEXT, Box, Line, Mark, Picture, Pixels, Words

HEAD = 26  # pixels above a panel for its name
FINEST = 2  # pixels of the file for each of the sheet, so that cells have sharp edges when it is enlarged
Floats = NDArray[np.floating]
COLOURS = (palette.QUERY, palette.KEY, palette.VALUE, palette.POSITION, palette.HEAD, palette.MLP, palette.RESIDUAL)


@dataclass(frozen=True, slots=True)
class Panel:
    """Marks within `width` x `height`; one that stands `alone` has a line of the sheet for itself."""

    width: float
    height: float
    marks: tuple[Mark, ...]
    alone: bool = False


def photo(pixels: Pixels, side: float, grid: tuple[int, int], framed: int | None, name: str, lines: bool) -> Panel:
    """What the model sees, one patch framed, and `lines` between all."""
    width, height = _sides(side, *pixels.shape[:2])
    rows, columns = grid
    marks: list[Mark] = [Words(0, TEXT, name, bold=True), Picture(0, HEAD, width, height, pixels, photo=True)]
    if lines:
        across = [((x * width / columns, HEAD), (x * width / columns, HEAD + height)) for x in range(columns + 1)]
        down = [((0, HEAD + y * height / rows), (width, HEAD + y * height / rows)) for y in range(rows + 1)]
        marks += [Line(points, "#ffffff", 0.7) for points in (*across, *down)]
    if framed is not None:
        marks += _frame(width, height, rows, columns, framed)
    return Panel(width, HEAD + height, tuple(marks))


def heat(
    values: Floats, side: float, name: str, limit: float, signed: bool = False, framed: int | None = None,
    chosen: bool = False, tall: float = 1,
) -> Panel:  # fmt: skip
    """Numbers `rows columns` as colours from 0, or around it, to `limit`; a cell is `tall` times as high as wide."""
    rows, columns = values.shape
    width, height = _sides(side, rows * tall, columns)
    shares = np.clip(values / (limit or 1), -1 if signed else 0, 1)
    steps = np.rint(127.5 + 127.5 * shares if signed else 255 * shares).astype(np.uint8)
    cells = colours(palette.SIGNED if signed else palette.WEIGHTS)[steps]
    large = cells.repeat(ceil(FINEST * height / rows), axis=0).repeat(ceil(FINEST * width / columns), axis=1)
    marks: list[Mark] = [Words(0, TEXT, name, bold=chosen), Picture(0, HEAD, width, height, large)]
    if framed is not None:
        marks += _frame(width, height, rows, columns, framed)
    return Panel(width, HEAD + height, tuple(marks))


def strip(values: Floats, width: float, name: str, limit: float) -> Panel:
    """One vector as a row of colours around 0."""
    made = heat(values[None], width, name, limit, signed=True, tall=28 * len(values) / width)
    return Panel(width, HEAD + 28, made.marks)


def scale(limit: float, signed: bool, width: float = 260) -> Panel:
    """The colours from the least to the largest number, with what they stand for."""
    table = colours(palette.SIGNED if signed else palette.WEIGHTS)[None]
    ends = ((0, "start", -limit), (width / 2, "middle", 0.0), (width, "end", limit)) if signed else (
        (0, "start", 0.0), (width, "end", limit))  # fmt: skip
    words = [Words(x, 30, small(number), anchor) for x, anchor, number in ends]  # type: ignore[arg-type]
    return Panel(width, 36, (Picture(0, 0, width, 12, table), *words), alone=True)


def bars(names: Sequence[str], values: Floats, width: float, name: str) -> Panel:
    """A bar for each of some names, from 0 to 1, with its number."""
    room, line = 0.38 * width, 28
    marks: list[Mark] = [Words(0, TEXT, name, bold=True)]
    for place, (word, value) in enumerate(zip(names, values, strict=True)):
        y = HEAD + place * line
        marks.append(Words(room - 10, y + 18, word, "end"))
        marks.append(Box(room, y + 4, max(1.0, float(value) * (width - room - 60)), line - 10, palette.HEAD))
        marks.append(Words(room + float(value) * (width - room - 60) + 8, y + 18, small(float(value))))
    return Panel(width, HEAD + line * len(names), tuple(marks))


def columns(values: Floats, width: float, height: float, name: str, colour: str) -> Panel:
    """One bar per place, upwards and downwards from 0, and the largest number beside the axis."""
    low, high = min(0.0, float(values.min())), max(0.0, float(values.max()))
    unit, left = height / ((high - low) or 1), 64
    step = (width - left) / len(values)
    zero = HEAD + high * unit
    marks: list[Mark] = [Words(0, TEXT, name, bold=True)]
    for place, value in enumerate(values):
        tall = abs(float(value)) * unit
        marks.append(Box(left + place * step, zero - tall if value > 0 else zero, max(0.8, 0.85 * step), tall, colour))
    marks.append(Line(((left, zero), (width, zero)), INK, 1))
    ends = {high: HEAD, low: HEAD + height, 0.0: zero}
    marks += [Words(left - 8, y + 5, small(number), "end") for number, y in ends.items()]
    return Panel(width, HEAD + height + 8, tuple(marks))


def curves(lines: Sequence[tuple[str, Floats]], width: float, height: float, name: str, across: str) -> Panel:
    """Curves from 0 to 1 over whole places, each with its name at its end."""
    left, right = 40, 0.3 * width
    many = len(lines[0][1])
    marks: list[Mark] = [Words(0, TEXT, name, bold=True)]
    for number in (0.0, 0.5, 1.0):
        y = HEAD + (1 - number) * height
        marks += [Line(((left, y), (width - right, y)), PALE, 0.8), Words(left - 8, y + 5, f"{number:g}", "end")]
    places = [left + at * (width - right - left) / max(1, many - 1) for at in range(many)]
    every = max(1, ceil(many / 13))
    marks += [Words(x, HEAD + height + 20, str(at), "middle") for at, x in enumerate(places) if at % every == 0]
    marks.append(Words((left + width - right) / 2, HEAD + height + 42, across, "middle"))
    feet: list[float] = []
    for place, (word, values) in enumerate(lines):
        colour = COLOURS[place % len(COLOURS)]
        points = tuple((x, HEAD + (1 - float(value)) * height) for x, value in zip(places, values, strict=True))
        marks.append(Line(points, colour, 2.5))
        foot = points[-1][1] + 5
        while any(abs(foot - other) < 18 for other in feet):
            foot -= 18 if points[-1][1] > HEAD + height / 2 else -18
        feet.append(foot)
        marks.append(Words(width - right + 8, foot, word, colour=colour, bold=True))
    return Panel(width, HEAD + height + 48, tuple(marks))


def _sides(side: float, rows: float, columns: float) -> tuple[float, float]:
    """Width and height of so many rows and columns of equal cells; the longer is `side`."""
    longest = max(rows, columns)
    return side * columns / longest, side * rows / longest


def _frame(width: float, height: float, rows: int, columns: int, cell: int) -> list[Mark]:
    row, column = divmod(cell, columns)
    wide, high = width / columns, height / rows
    x, y = column * wide, HEAD + row * high
    return [Box(x, y, wide, high, "#000000", 4), Box(x, y, wide, high, palette.FRAME, 2.5)]
