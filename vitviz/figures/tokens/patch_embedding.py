"""Figures of the page Patch embedding: one patch on its way to a token, the filters, the cloud of all tokens."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vitviz import palette
from vitviz.figures import tiles
from vitviz.figures.axes import hidden, linear, names, whole
from vitviz.figures.figure import Axis, Figure, Numbers, Panel
from vitviz.figures.marks import Bars, Colours, Floats, Heat, Line, Mark, Picture, Pixels, Points, Says, Text
from vitviz.figures.parts import RGB, framed, pictured

COMPONENTS_PER_LINE, FILTERS_PER_LINE = 7, 8
APART = 2  # cells between the factors and the product of `look_up`
PLACE = ("row", "column", "component")
AXES = ("component", "channel", "row", "column")  # of filters


def one_component(patch: Floats, column: Floats, component: int) -> Figure:
    """One component of a token: the patch times one column of E, pixel by pixel; all `c ph pw`.

    The product is summed over the colours of each pixel. All pixels together, and one number of b, make the component.
    Divided by the filter, the product is the patch again.
    """
    product = (patch * column).sum(axis=0)
    tall, wide = product.shape
    colours = Colours(float(np.abs(product).max()) or 1.0, signed=True)
    drawn: list[tuple[str, Mark]] = [
        ("patch", _factor(patch, photo=True)),
        (f"· filter {component + 1}", _factor(column, photo=False)),
        ("= product", Heat(product, colours, Says("product {value:.4f}"), photo=True)),
    ]
    corners = ((0, 0), (wide, 0), (wide, tall), (0, tall), (0, 0))
    edge = Line(tuple((x - 0.5, y - 0.5) for x, y in corners), palette.RESIDUAL, width=1, smooth=False)
    panels = tuple(pictured((mark, edge), tall, wide, 230, title=title) for title, mark in drawn)
    axes = ("channel", "row", "column")
    numbers = (
        Numbers("patch", axes, patch, "The patch, or what a stem makes of it.", photo=True),
        Numbers(f"filter {component + 1}", axes, column, "The column of E that makes this component."),
        Numbers("product", axes[1:], product, "Patch times filter, summed over the channels.", photo=True),
    )
    return Figure((panels,), f"Component {component + 1} of the token", numbers, colours)


def filters(columns: Floats, every: int) -> Figure:
    """The first of `every` filters, `k c ph pw`, as pictures, each scaled to its own largest number."""
    title = f"{len(columns)} of {every:,} filters" if len(columns) < every else "filters"
    panel = _pictures(columns, FILTERS_PER_LINE, "filter", title)
    return Figure(((panel,),), numbers=(Numbers("filters", AXES, columns),))


def filter_components(directions: Floats) -> Figure:
    """Principal components of the filters, `k c ph pw`, as pictures, each scaled to its own largest number."""
    panel = _pictures(directions, COMPONENTS_PER_LINE, "principal component")
    title = "Principal components of the filters, largest variance first"
    return Figure(((panel,),), title, (Numbers("filters", AXES, directions),))


def _pictures(rows: Floats, most: int, each: str, title: str = "") -> Panel:
    pictures = rows.transpose(0, 2, 3, 1)
    largest = np.abs(pictures).max(axis=(1, 2, 3), keepdims=True)
    per_line = min(most, len(pictures))
    lines = -(-len(pictures) // per_line)
    mosaic = tiles.mosaic(tiles.tinted(pictures, largest), per_line)
    number = tiles.in_lines(np.arange(1, len(pictures) + 1), per_line)
    marks = (Picture(mosaic, lines, per_line, says=Says(f"{each} {{number}}", {"number": number}), photo=False),)
    return pictured(marks, lines, per_line, 308, tiles.tall(mosaic, lines, per_line), title=title)


def shares(share: Floats) -> Figure:
    """How much of the variance each principal component explains, in percent."""
    many, places = len(share), np.arange(1, len(share) + 1)
    says = Says("component {component}\n{value:.2f} %", {"component": places})
    across = replace(whole(0.5, many + 0.5, "component", 1, many), grid=False)
    down = linear(1.05 * float(100 * share.max()) or 1.0, "%")
    bars = Bars(places, 100 * share, (palette.PATCH,), says)
    return Figure(((Panel(across, down, (bars,), 308),),), "Variance explained")


def stem_map(coordinates: Floats, rows: int, columns: int, number: int, place: float = 1) -> Figure:
    """A map that a stem makes, `n 3`: its first three principal components as red, green and blue.

    A place of it is `place` times as high as wide. The picture can be seen in it.
    """
    places = _three(coordinates).reshape(rows, columns, 3)
    says = "The first principal components of the channels at each place of the map."
    numbers = Numbers("coordinates", PLACE, places, says, photo=True)
    panel = pictured((Picture(_coloured(places), rows, columns),), rows, columns, 208, place)
    return Figure(((panel,),), f"Map {number} of the stem", (numbers,))


def token_grid(coordinates: Floats, rows: int, columns: int, chosen: int, patch: float = 1) -> Figure:
    """Each token as a colour where its patch lies: `n 3`, the first three components as red, green and blue.

    A patch is `patch` times as high as wide. The picture can be seen in it.
    """
    places = _three(coordinates).reshape(rows, columns, 3)
    first, second, third = np.moveaxis(places, -1, 0)
    values = tiles.places_of(rows, columns) | {"first": first, "second": second, "third": third}
    says = Says(f"{tiles.PLACE}\n{{first:.3f}}, {{second:.3f}}, {{third:.3f}}", values)
    marks = Picture(_coloured(places), rows, columns, says=says), framed(*divmod(chosen, columns))
    panel = pictured(marks, rows, columns, 368, patch)
    numbers = Numbers(
        "coordinates", PLACE, places, "The first principal components of the token of each patch.", photo=True
    )
    return Figure(((panel,),), "Tokens as colours", (numbers,))


def token_cloud(coordinates: Floats, pixels: Pixels, rows: int, columns: int, chosen: int) -> Figure:
    """Each token as a point on the first two components, in the mean colour of its patch of the crop `h w c`.

    In the order of the patches, colours and places are both a small copy of the picture.
    """
    across, up = _three(coordinates).T[:2]
    means = tiles.cut(pixels, rows, columns).mean(axis=(1, 2)).round().astype(np.uint8)
    colours = ["#" + bytes(mean).hex() for mean in means]
    values = tiles.places(np.arange(len(coordinates)), columns) | {"across": across}
    says = Says(f"{tiles.PLACE}\n{{across:.3f}}, {{value:.3f}}", values)
    own = slice(chosen, chosen + 1)
    marks = (
        Points(across, up, colours, (12,), says=says, edge=palette.RESIDUAL, photo=True),
        Points(across[own], up[own], (palette.FRAME,), (20,), "box", photo=True),
    )
    panel = Panel(_around(across, "component 1"), _around(up, "component 2"), marks, 368)
    says_ = "The first two principal components of the token of each patch."
    numbers = Numbers("coordinates", ("patch", "component"), np.stack([across, up], axis=1), says_, photo=True)
    return Figure(((panel,),), "Tokens as points", (numbers,))


def look_up(words: Sequence[str], ids: Sequence[int], one_hot: Floats, table: Floats, tokens: Floats) -> Figure:
    """One-hot rows, `word id`, times a table of words, `id d`, is a row of it for each word; rows count from 0."""
    rows, width = table.shape
    colours = Colours(float(np.abs(table).max()), signed=True)
    factors = (("one-hot", "one-hot", one_hot), ("table", "· table", table), ("tokens", "= tokens", tokens))
    places = (0, rows + APART, rows + width + 2 * APART)
    marks: list[Mark] = []
    for left, (name, title, values) in zip(places, factors, strict=True):
        marks += [
            Heat(values, colours, Says(f"{name} {{value:.3f}}"), x=left),
            Text(left + (values.shape[1] - 1) / 2, -0.5, title, "middle"),
        ]
    marks += [framed(at, places[1], 1, width) for at in ids]
    marks += [framed(at, places[2], 1, width) for at in range(len(ids))]
    down = replace(names(words), low=rows - 0.5, high=-1.5, grid=False)
    panel = Panel(hidden(-0.5, places[2] + width - 0.5), down, tuple(marks), 218, square=1)
    numbers = tuple(Numbers(name, ("row", "column"), values, name) for name, _, values in factors)
    return Figure(((panel,),), f"{' '.join(words)} → {' '.join(map(str, ids))} → tokens", numbers)


def _factor(values: Floats, photo: bool) -> Picture:
    """Numbers `c ph pw` as colours around grey, which say themselves."""
    channels, tall, wide = values.shape
    called = RGB if channels > 1 else ("grey",)
    words = "\n".join(f"{name} {{{name}:.4f}}" for name in called) if channels > 1 else "{grey:.4f}"
    says = Says(words, dict(zip(called, values, strict=True)))
    return Picture(tiles.tinted(values.transpose(1, 2, 0)), tall, wide, says=says, photo=photo)


def _three(coordinates: Floats) -> Floats:
    """Up to three components, `n (up to 3)`, as three: those that are not there are 0."""
    return np.pad(coordinates, [(0, 0), (0, 3 - coordinates.shape[1])])


def _coloured(places: Floats) -> Pixels:
    """Components `rows columns 3` as red, green and blue, each scaled to its own largest number."""
    return tiles.tinted(places, np.abs(places).max(axis=(0, 1)))


def _around(values: Floats, title: str) -> Axis:
    """An axis from the least to the largest number, and somewhat further."""
    low, high = float(values.min()), float(values.max())
    room = 0.06 * (high - low) or 1.0
    return linear(high + room, title, low=low - room)
