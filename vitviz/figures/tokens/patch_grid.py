"""Figures of the page Patch grid: the picture, cut into patches, read as a sequence of numbers."""

from dataclasses import replace
from math import ceil

import numpy as np

from vitviz.figures import tiles
from vitviz.figures.axes import names
from vitviz.figures.figure import Figure
from vitviz.figures.marks import Colours, Floats, Grid, Heat, Mark, Picture, Pixels, Says
from vitviz.figures.parts import RGB, framed, pictured
from vitviz.figures.strips import strips
from vitviz.numbers import exact

HEIGHT, SIDE = 408, 210  # pixels of a picture, and of the map of a channel
LINE, LINES = 28, 8  # patches in a line of the sequence, unless that makes too many lines
LEADING = 3
LINED = 32  # pixels a side: up to here a patch is drawn with lines between them
PIXEL = "row {row}, column {column}\nred {red}, green {green}, blue {blue}"


def original(pixels: Pixels, size: tuple[int, int], box: tuple[int, int, int, int]) -> Figure:
    """The picture as it was given, `size` = (width, height), with a frame around the part that the model sees.

    `pixels` may be a smaller copy; `box` = (left, top, right, bottom) counts the pixels of the original.
    """
    (width, height), (left, top, right, bottom) = size, box
    marks = Picture(pixels, height, width), framed(top, left, bottom - top, right - left)
    return Figure(((pictured(marks, height, width, HEIGHT),),), "The picture as given")


def patches(pixels: Pixels, rows: int, columns: int, chosen: int) -> Figure:
    """The crop that the model sees, `h w c`, cut into rows x columns patches; hover gives index, row and column."""
    says = Says(tiles.PLACE, tiles.places_of(rows, columns))
    marks = Picture(pixels, rows, columns, says=says), Grid(rows, columns), framed(*divmod(chosen, columns))
    panel = pictured(marks, rows, columns, HEIGHT, tiles.tall(pixels, rows, columns))
    return Figure(((panel,),), "What the model sees")


def sequence(pixels: Pixels, rows: int, columns: int, chosen: int) -> Figure:
    """All patches in raster order, as one strip that is broken into lines like text."""
    many = rows * columns
    lines = min(ceil(many / LINE), LINES)
    per_line = ceil(many / lines)
    strip = tiles.mosaic(tiles.cut(pixels, rows, columns), per_line, LEADING)
    cell = tiles.tall(strip, lines, per_line)
    places = tiles.places(np.arange(many), columns)
    says = Says(tiles.PLACE, {name: tiles.in_lines(place, per_line) for name, place in places.items()})
    marks = Picture(strip, lines, per_line, says=says), framed(*divmod(chosen, per_line))
    panel = pictured(marks, lines, per_line, 12 + round(34 * cell) * lines, cell)
    firsts = names([exact(line * per_line + 1) for line in range(lines)])
    some = replace(firsts, ticks=firsts.ticks[:: 2 if lines > 4 else 1])  # a phone has no room for more
    return Figure(((replace(panel, down=some),),), "The sequence")


def enlarged(pixels: Pixels, rows: int, columns: int, chosen: int) -> Figure:
    """One patch, pixel by pixel; hover gives the red, green and blue of each pixel, from 0 to 255."""
    patch = tiles.cut(pixels, rows, columns)[chosen]
    tall, wide = patch.shape[:2]
    row, column = np.indices((tall, wide)) + 1
    colours = dict(zip(RGB, np.moveaxis(patch, -1, 0), strict=True))
    marks: list[Mark] = [Picture(patch, tall, wide, says=Says(PIXEL, {"row": row, "column": column} | colours))]
    if max(tall, wide) <= LINED:
        marks.append(Grid(tall, wide))
    return Figure(((pictured(marks, tall, wide, 268),),), f"Patch {chosen + 1}, enlarged")


def channels(values: Floats) -> Figure:
    """The numbers of one patch, `c ph pw`, as a map for each channel, all on one scale."""
    _, high, wide = values.shape
    colours = Colours(float(np.abs(values).max()), signed=True)
    names = RGB if len(values) == 3 else [f"channel {at + 1}" for at in range(len(values))]
    panels = [
        pictured((Heat(channel, colours, photo=True),), high, wide, SIDE, title=name)
        for name, channel in zip(names, values, strict=True)
    ]
    return Figure((tuple(panels),), scale=colours)


def flattened(values: Floats, chosen: int) -> Figure:
    """The numbers of one patch, `(c ph pw)`, channel by channel."""
    channels = dict(zip(RGB, values.reshape(3, -1), strict=True))
    return strips(channels, title=f"Patch {chosen + 1}, flattened", photo=True)
