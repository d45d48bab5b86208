"""Figures of attention maps: weights over the picture, many on one scale, the whole matrix, and a head as a kernel."""

from collections.abc import Collection, Sequence
from math import ceil, sqrt

import numpy as np

from vitviz import palette
from vitviz.figures.axes import hidden, tokens
from vitviz.figures.figure import Figure, Numbers, Panel
from vitviz.figures.marks import Colours, Floats, Heat, Line, Mark, Picture, Pixels, Says, Text
from vitviz.figures.parts import framed, on_patches, pictured
from vitviz.figures.tiles import tall

Cell = tuple[int, int]  # row and column of a patch

PICTURE = 262  # pixels: three pictures in a row fit the first screen of a projector
PANEL = 430  # pixels: two of these fit beside each other
KERNELS = 240  # pixels
ABOVE, BESIDE = 0.22, 0.06  # shares of a map of a wall that stay free above it, for its number, and beside it
COVER = 0.6  # how much of the picture the weights hide
LUMINANCE = (0.299, 0.587, 0.114)  # of red, green and blue (ITU-R BT.601)
PLACE = "patch {patch} (row {row}, column {column})"


def crop(pixels: Pixels, grid: Cell, query: Cell | None) -> Figure:
    """Exactly the crop that the model sees, `h w c`, with the query patch framed."""
    return Figure(((_pictured(pixels, grid, (Picture(pixels, *grid),), query),),))


def overlay(pixels: Pixels, weights: Floats, limit: float, query: Cell | None) -> Figure:
    """Weights `gh gw` over exactly the crop that the model sees; colours from 0 to `limit`, the query patch framed.

    The picture below is grey, so that colour means weight and nothing else.
    """
    rows, columns = weights.shape
    colours = Colours(limit)
    light = on_patches(weights, f"{PLACE}\n{{value:.4f}}", colours, opacity=COVER)
    marks = Picture(grey(pixels), rows, columns), light
    return Figure(((_pictured(pixels, (rows, columns), marks, query),),), scale=colours)


def wall(
    maps: Floats,
    noun: str,
    limit: float,
    chosen: int | None,
    query: Cell | None = None,
    patch: float = 1,
    off: Collection[int] = (),
    edge: str = palette.QUERY,
) -> Figure:
    """Maps `panel gh gw` side by side on one scale from 0 to `limit`, numbered from 1 as so many of a `noun`.

    The map `chosen` is framed, and in each the cell of the `query`, in the colour `edge`; a patch is `patch` times as
    high as wide. Those that are `off` say so.
    """
    many, rows, columns = maps.shape
    across, colours = ceil(sqrt(many)), Colours(limit)
    down, right = rows * (1 + ABOVE), columns * (1 + BESIDE)
    marks: list[Mark] = []
    for at, values in enumerate(maps):
        top, left = (at // across) * down, (at % across) * right
        name = f"{noun} {at + 1}" + ": off" * (at in off)
        lead, text = (name, "") if at == chosen else ("", name)
        marks.append(on_patches(values, f"{noun} {at + 1}\n{PLACE}\n{{value:.4f}}", colours, left, top))
        marks.append(Text(left - 0.5, top - 0.5, text, lead=lead))
        if query:
            marks.append(framed(top + query[0], left + query[1], edge=edge))
        if at == chosen:
            marks.append(framed(top, left, rows, columns))
    lines = ceil(many / across)
    ends = across * right - columns * BESIDE - 0.5, -0.5 - rows * ABOVE
    height = round(PANEL * patch * lines * down / (across * right))
    panel = Panel(hidden(-0.5, ends[0]), hidden(lines * down + ends[1], ends[1]), tuple(marks), height, square=patch)
    return Figure(((panel,),), numbers=(Numbers("maps", (noun, "row", "column"), maps),), scale=colours)


def wall_of_tokens(
    weights: Floats,
    noun: str,
    chosen: int | None,
    query: int,
    grid: Cell,
    patch: float = 1,
    off: Collection[int] = (),
    edge: str = palette.QUERY,
) -> Figure:
    """Weights `panel t` of one `query` token on its patches, as a `wall` whose scale ends at the largest there.

    Tokens of the patches of a `grid`, rows and columns, stand last.
    """
    first = weights.shape[1] - grid[0] * grid[1]
    maps = weights[:, first:].reshape(-1, *grid)
    cell = divmod(query - first, grid[1]) if query >= first else None
    return wall(maps, noun, float(maps.max()), chosen, cell, patch, off, edge)


def matrix(weights: Floats, names: Sequence[str], prefix: Sequence[str], query: int) -> Figure:
    """Weights of one head, `q k`: a row per query token, a column per key token, the prefix tokens first.

    The row and the column of `query` are framed; lines in the class token's colour close the prefix tokens off.
    """
    count, edge = len(names), len(prefix) - 0.5
    ends, colours = (-0.5, len(names) - 0.5), Colours(float(weights.max()))
    borders = (((ends[0], edge), (ends[1], edge)), ((edge, ends[0]), (edge, ends[1]))) if prefix else ()
    marks: tuple[Mark, ...] = (
        Heat(weights, colours, Says("query: {y}\nkey: {x}\n{value:.4f}"), called=names, columns=names),
        *(Line(points, palette.CLASS_TOKEN, width=2, smooth=False) for points in borders),
        framed(query, 0, 1, count),
        framed(0, query, count, 1),
    )
    axes = tokens(count, prefix, "key token"), tokens(count, prefix, "query token", down=True)
    numbers = Numbers("values", ("query token", "key token"), weights, names={"query token": names, "key token": names})
    return Figure(((Panel(*axes, marks, PANEL, square=1),),), numbers=(numbers,), scale=colours)


def beside_a_convolution(kernel: Floats, name: str, patch: float = 1) -> Figure:
    """The mean weights of a head by offset, `down across`, and a 3 × 3 kernel of equal weights, both on one scale.

    A patch is `patch` times as high as wide.
    """
    side = len(kernel)
    middle = side // 2
    equal = np.zeros_like(kernel)
    near = slice(middle - 1, middle + 2)
    equal[near, near] = 1 / 9
    colours = Colours(float(max(kernel.max(), equal.max())))
    down, across = np.mgrid[:side, :side] - middle
    says = Says("{down} rows down, {across} columns right: {value:.4f}", {"down": down, "across": across})
    marks: list[Mark] = []
    for left, values, words in ((0, kernel, name), (side + 1, equal, "a 3 × 3 kernel")):
        marks += [Heat(values, colours, says, x=left), framed(middle - 1, left + middle - 1, 3, 3)]
        marks.append(Text(left + middle, -0.5, words, "middle"))
    numbers = [Numbers(named, ("down", "across"), it) for named, it in (("kernel", kernel), ("3 x 3 kernel", equal))]
    panel = Panel(hidden(-0.5, 2 * side + 0.5), hidden(side - 0.5, -1.6), tuple(marks), KERNELS, square=patch)
    return Figure(((panel,),), numbers=tuple(numbers), scale=colours)


def grey(pixels: Pixels) -> Pixels:
    """The brightness of RGB pixels `h w 3`, as RGB pixels."""
    bright = (pixels @ np.array(LUMINANCE)).round().astype(np.uint8)
    return np.repeat(bright[..., None], 3, axis=2)


def _pictured(pixels: Pixels, grid: Cell, marks: tuple[Picture | Heat, ...], query: Cell | None) -> Panel:
    return pictured([*marks, *([framed(*query)] if query else [])], *grid, PICTURE, tall(pixels, *grid))
