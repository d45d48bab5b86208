"""Parts of a figure, each as marks from its own corner: a photo, a map, bars, curves."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil

import numpy as np
from numpy.typing import NDArray

from vitviz import palette
from vitviz.figures.scales import colours
from vitviz.numbers import small
from vitviz.takeaway.figures.letters import most_of
from vitviz.takeaway.figures.marks import INK, PALE, TEXT, Box, Dash, Dot, Line, Mark, Picture, Pixels, Words

HEAD = 26  # pixels above a panel for its name
FINEST = 2  # pixels of the file for each of the sheet, so that cells have sharp edges when it is enlarged
Floats = NDArray[np.floating]
ANSWER = palette.HEAD  # the line of the answer, as on the screen
COLOURS = (palette.KEY, palette.VALUE, palette.POSITION, palette.MLP, palette.RESIDUAL)  # those of the others
DASHES: tuple[Dash, ...] = ("solid", "dash", "dot")  # with each of the colours
LEGEND = 0.5  # share of the width of curves


@dataclass(frozen=True, slots=True)
class Panel:
    """Marks within `width` x `height`; one that stands `alone` has a line of the sheet for itself."""

    width: float
    height: float
    marks: tuple[Mark, ...]
    alone: bool = False


def photo(
    pixels: Pixels, side: float, grid: tuple[int, int], framed: int | None, name: str, lines: bool,
    frame: str = palette.FRAME,
) -> Panel:  # fmt: skip
    """What the model sees, one patch framed in the colour `frame`, and `lines` between all."""
    width, height = _sides(side, *pixels.shape[:2])
    rows, columns = grid
    marks: list[Mark] = [Words(0, TEXT, name, bold=True), Picture(0, HEAD, width, height, pixels, photo=True)]
    if lines:
        across = [((x * width / columns, HEAD), (x * width / columns, HEAD + height)) for x in range(columns + 1)]
        down = [((0, HEAD + y * height / rows), (width, HEAD + y * height / rows)) for y in range(rows + 1)]
        marks += [Line(points, "#ffffff", 0.7) for points in (*across, *down)]
    if framed is not None:
        marks += _frame(width, height, rows, columns, framed, frame)
    return Panel(width, HEAD + height, tuple(marks))


def heat(
    values: Floats, side: float, name: str, limit: float, signed: bool = False, framed: int | None = None,
    frame: str = palette.FRAME, chosen: bool = False, tall: float = 1,
) -> Panel:  # fmt: skip
    """Numbers `rows columns` as colours from 0, or around it, to `limit`; a cell is `tall` times as high as wide.

    One cell is `framed` in the colour `frame`; a map that is `chosen` of several has a frame itself.
    """
    rows, columns = values.shape
    width, height = _sides(side, rows * tall, columns)
    shares = np.clip(values / (limit or 1), -1 if signed else 0, 1)
    steps = np.rint(127.5 + 127.5 * shares if signed else 255 * shares).astype(np.uint8)
    cells = colours(palette.SIGNED if signed else palette.WEIGHTS)[steps]
    large = cells.repeat(ceil(FINEST * height / rows), axis=0).repeat(ceil(FINEST * width / columns), axis=1)
    marks: list[Mark] = [Words(0, TEXT, name, bold=chosen), Picture(0, HEAD, width, height, large)]
    if framed is not None:
        marks += _frame(width, height, rows, columns, framed, frame)
    if chosen:
        marks.append(Box(-3, HEAD - 3, width + 6, height + 6, palette.FRAME, 3))
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
    room, line = min(0.55 * width, max(0.38 * width, *(most_of(word, TEXT) + 10 for word in names))), 28
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


def points(
    places: Floats, width: float, height: float, names: Sequence[str], colours: Pixels | None, framed: int
) -> Panel:
    """A square for each of some places, `n 1` or `n 2`, as far apart across as upwards, and one of them framed.

    `names` are those of the axes; `colours`, `n rgb`, those of the squares, all alike where there are none.
    """
    across, up = np.pad(places, [(0, 0), (0, 2 - places.shape[1])]).T
    unit = min((width - 60) / (np.ptp(across) or 1), (height - 40) / (np.ptp(up) or 1))
    left, top = 30 + (width - 30) / 2 - unit * (across.max() + across.min()) / 2, HEAD + height / 2
    top += unit * (up.max() + up.min()) / 2
    marks: list[Mark] = [
        Line(((left, HEAD), (left, HEAD + height)), PALE, 0.8),
        Line(((30, top), (width, top)), PALE, 0.8),
        Words((30 + width) / 2, HEAD + height + 20, names[0], "middle"),
        *(Words(14, HEAD + height / 2, name, "middle", turned=True) for name in names[1:]),
    ]
    for at, (x, y) in enumerate(zip(across, up, strict=True)):
        colour = palette.PATCH if colours is None else "#" + bytes(colours[at]).hex()
        marks.append(Dot(left + unit * float(x), top - unit * float(y), 9, colour, "square", edge=0.8))
    x, y = left + unit * float(across[framed]), top - unit * float(up[framed])
    marks += [Box(x - 7, y - 7, 14, 14, "#000000", 4), Box(x - 7, y - 7, 14, 14, palette.FRAME, 2.5)]
    return Panel(width, HEAD + height + 28, tuple(marks))


def curves(lines: Sequence[tuple[str, Floats]], width: float, height: float, name: str, across: str) -> Panel:
    """Curves from 0 to 1 over whole places, the first of them the answer, and what each is and ends at beside them."""
    left, right = 40, LEGEND * width
    many = len(lines[0][1])
    marks: list[Mark] = [Words(0, TEXT, name, bold=True)]
    for number in (0.0, 0.5, 1.0):
        y = HEAD + (1 - number) * height
        marks += [Line(((left, y), (width - right, y)), PALE, 0.8), Words(left - 8, y + 5, f"{number:g}", "end")]
    places = [left + at * (width - right - left) / max(1, many - 1) for at in range(many)]
    every = max(1, ceil(many / 13))
    marks += [Words(x, HEAD + height + 20, str(at), "middle") for at, x in enumerate(places) if at % every == 0]
    marks.append(Words((left + width - right) / 2, HEAD + height + 42, across, "middle"))
    marks.append(Words(width, TEXT, f"after layer {many - 1}", "end", bold=True))
    row = 22 if len(lines) <= 12 else 17
    start, swatch, number_room = width - right + 16, 26, 56
    for place, (word, values) in reversed(list(enumerate(lines))):
        drawn = partial(Line, colour=ANSWER, width=4)
        if place:
            dash, colour = divmod(place - 1, len(COLOURS))
            drawn = partial(Line, colour=COLOURS[colour], width=2, dash=DASHES[dash % len(DASHES)])
        y = HEAD + place * row + 14
        marks += [
            drawn(tuple((x, HEAD + (1 - float(value)) * height) for x, value in zip(places, values, strict=True))),
            drawn(((start, y - 5), (start + swatch, y - 5))),
            Words(start + swatch + 6, y, _fitting(word, right - 22 - swatch - number_room), bold=not place),
            Words(width, y, small(float(values[-1])), "end", bold=not place),
        ]
    return Panel(width, HEAD + max(height + 48, row * len(lines)), tuple(marks))


def _fitting(word: str, room: float) -> str:
    """As much of a word as there is room for."""
    kept = word
    while most_of(kept, TEXT) > room:
        kept = kept[:-2] + "…"
    return kept


def _sides(side: float, rows: float, columns: float) -> tuple[float, float]:
    """Width and height of so many rows and columns of equal cells; the longer is `side`."""
    longest = max(rows, columns)
    return side * columns / longest, side * rows / longest


def _frame(width: float, height: float, rows: int, columns: int, cell: int, colour: str) -> list[Mark]:
    row, column = divmod(cell, columns)
    wide, high = width / columns, height / rows
    x, y = column * wide, HEAD + row * high
    return [Box(x, y, wide, high, "#000000", 4), Box(x, y, wide, high, colour, 2.5)]
