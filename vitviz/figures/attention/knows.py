"""Figures of what tokens know: colours of patches, the nearest ones in other pictures, and how long tokens are."""

from collections.abc import Sequence

import numpy as np

from vitviz import palette
from vitviz.figures.axes import linear, whole
from vitviz.figures.figure import Figure, Numbers
from vitviz.figures.marks import Floats, Picture
from vitviz.figures.parts import chart, pictured, spanned
from vitviz.numbers import small

SIDE = 436  # pixels of the colours of one picture
HEIGHT = 300
NAMES = ("before the last norm", "after it")


def colours_of_patches(coordinates: Floats, reach: Floats, grid: tuple[int, int], patch: float = 1) -> Figure:
    """Patches on three components, `n 3`, as red, green and blue: black at minus the `reach`, `3`, full at it.

    A patch is `patch` times as high as wide.
    """
    shares = np.clip(coordinates / np.where(reach == 0, 1, reach) / 2 + 0.5, 0, 1)
    pixels = (255 * shares).round().astype(np.uint8).reshape(*grid, 3)
    numbers = Numbers("components", ("row", "column", "component"), coordinates.reshape(*grid, -1))
    panel = pictured((Picture(pixels, *grid, photo=False),), *grid, SIDE, patch)
    return Figure(((panel,),), "Three components as red, green and blue", (numbers,))


def cosines_there(nearest: Floats, titles: Sequence[str]) -> Figure:
    """The patch of each picture that is nearest to one, counted from 0, and its cosine: `2 picture`."""
    points = [
        (at + 1.0, f"{title}, patch {int(patch) + 1}", (float(cosine),) * 3)
        for at, (title, patch, cosine) in enumerate(zip(titles, *nearest, strict=True))
    ]
    return chart(
        whole(0.5, len(titles) + 0.5, "picture", 1, len(titles)),
        linear(1, "cosine", low=min(0.0, *(float(it) for it in nearest[1]))),
        HEIGHT,
        **spanned([("nearest patch", palette.PATCH, points)], "cosine", lambda at, *_: small(at)),
    )


def lengths_by_layer(lengths: Sequence[Floats] | Floats, first: int) -> Figure:
    """The median length of the tokens of patches, the least and the most: `row t` before the last norm and after it.

    Tokens of patches begin with the `first`.
    """
    named = []
    for name, colour, values in zip(NAMES, (palette.RESIDUAL, palette.NORM), lengths, strict=True):
        spans = [(float(np.median(row)), float(row.min()), float(row.max())) for row in values[:, first:]]
        places = ["before layer 1", *(f"after layer {at}" for at in range(1, len(spans)))]
        named.append((name, colour, [(float(at), *it) for at, it in enumerate(zip(places, spans, strict=True))]))
    top = 1.1 * max(float(values[:, first:].max()) for values in lengths) or 1.0
    return chart(
        whole(-0.5, len(lengths[0]) - 0.5, "layers that have run", 0, len(lengths[0]) - 1),
        linear(top, "length"),
        HEIGHT,
        **spanned(named, "length", _span, "median"),
    )


def _span(at: float, least: float, most: float) -> str:
    return f"{small(at)}, from {small(least)} to {small(most)}"
