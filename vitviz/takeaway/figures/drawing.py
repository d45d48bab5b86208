"""Every kind of view as a figure for print, from the same numbers as its notebook."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from vitviz import palette
from vitviz.figures.tiles import cut
from vitviz.measures.classes import best, named_classes
from vitviz.measures.tokens import token_components
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.figures import PRINTED, panels
from vitviz.takeaway.figures.captioned import EDGE, caption, captioned, chosen_of, on_a_patch
from vitviz.takeaway.figures.learning import learning_sheet
from vitviz.takeaway.figures.marks import Sheet, moved
from vitviz.takeaway.figures.panels import Panel
from vitviz.takeaway.kinds import kind_of, patch_of, values
from vitviz.takeaway.pixels import pixels_of
from vitviz.takeaway.view import View

if TYPE_CHECKING:
    from vitviz.takeaway.opening import Opened

WIDTH, NARROW, GAP = 960, 480, 22  # pixels of a sheet for print, and of one for a phone
PHOTO, TILE = 280, 116  # two lines of maps are as high as the photo
MOST_CLASSES = {"overview": 8, "position_embedding": 4, "class_head": 16}  # of those of the page that are drawn
ACROSS = 4  # maps beside the photo
LEFT_OUT = 224  # the grey in the place of a photo
SCORED = "scores of every key", "weights: softmax of the scores"


def sheet(it: Opened | View, title: str = "", photo: bool = True, width: int = WIDTH) -> Sheet:
    """The figure of a view, with its caption and its source; `title` is what the picture is called.

    One that is not twice as wide as the photo has everything else below that.
    Without the `photo` a grey one stands in its place, and says so; a moment of training needs no picture. Raises
    `TakeawayError` for a page that is not in `PRINTED`: its figure is made of the page's own charts.
    """
    view = it if isinstance(it, View) else it.view
    if view.learned is not None:
        return learning_sheet(view)
    if isinstance(it, View):
        raise TakeawayError("this page counts: there is no picture to draw; take its data or its notebook")
    require_printed(it.view)
    kind = kind_of(it.view)
    numbers = values(it.view, it.trace)
    said = caption(it, numbers, title or it.title, MOST_CLASSES[it.view.page] if kind.headed else 0)
    flowing = _flow([_photo(it, photo), *_panels(it, numbers, width, photo)], width)
    height = max(y + panel.height for panel, _, y in flowing) + GAP
    marks = [moved(mark, x, y) for panel, x, y in flowing for mark in panel.marks]
    return captioned(width, height, marks, said)


def require_printed(view: View) -> None:
    """Raise `TakeawayError` for a page that is not drawn for print here, before anything is computed."""
    if view.page not in PRINTED and view.learned is None:
        raise TakeawayError(
            f"{view.page} has no figure for print here, but data and a notebook; figures are {', '.join(PRINTED)}"
        )


def _flow(parts: Sequence[Panel], width: int) -> list[tuple[Panel, float, float]]:
    """Panels from left to right in lines, with their places: beside the first as long as that is high, then below."""
    first, *others = parts
    placed, bottom = [(first, float(EDGE), float(EDGE))], EDGE + first.height
    left = x = EDGE + first.width + GAP
    y, high = float(EDGE), 0.0
    for panel in others:
        wide = panel.width > width - EDGE - left + 1
        if wide or panel.alone or x + panel.width > width - EDGE + 1:
            x, y, high = left, y + (high + GAP if high else 0), 0.0
        if left > EDGE and (wide or y + panel.height > bottom + 1):
            left = x = float(EDGE)
            y = max(y, bottom + GAP)
        placed.append((panel, x, y))
        x, high = x + panel.width + GAP, max(high, panel.height)
    return placed


def _photo(it: Opened, seen: bool) -> Panel:
    view = it.view
    framed, colour = _framed(view)
    lines = view.page == "patch_grid"
    pixels = pixels_of(it.trace, it.loaded)
    if not seen:
        pixels = np.full_like(pixels, LEFT_OUT)
    name = "what the model sees" if seen else "the picture is left out"
    return panels.photo(pixels, PHOTO, view.config.grid, framed, name, lines, colour)


def _framed(view: View) -> tuple[int | None, str]:
    """The patch that has a frame, if one has, and its colour."""
    kind = kind_of(view)
    asks = "query" in kind.given and on_a_patch(view)
    looks = kind.axes == "layer k" and kind.uses("patch")
    framed = patch_of(view) if kind.uses("patch") or asks else None
    return framed, palette.QUERY if asks or looks else palette.FRAME


def _panels(it: Opened, numbers: NDArray[Any], width: int, photo: bool) -> list[Panel]:
    view, config = it.view, it.view.config
    wide = width - 2 * EDGE
    beside = wide - PHOTO - GAP if wide > 2 * PHOTO else wide
    tall = config.image_sides[0] / config.grid[0] / (config.image_sides[1] / config.grid[1])
    match view.page:
        case "overview" if not kind_of(view).headed:
            return _wall(it, numbers, tall, wide, beside)
        case "overview":
            shown = best(numbers, MOST_CLASSES[view.page])
            return [panels.bars([it.loaded.labels[index] for index in shown], numbers[shown], beside, "probability")]
        case "patch_grid":
            channels = numbers.reshape(config.channels, *config.patch_sides)
            limit = float(np.abs(numbers).max())
            rgb = ("red", "green", "blue")
            names = rgb if config.channels == 3 else [f"channel {number + 1}" for number in range(config.channels)]
            drawn = [panels.heat(it, TILE, name, limit, signed=True) for it, name in zip(channels, names, strict=True)]
            return [*drawn, panels.scale(limit, signed=True)]
        case "patch_embedding" if kind_of(view).axes == "n component":
            share = token_components(it.trace, 2).share
            names = [f"principal component {at}: {100 * of:.1f} % of the variance" for at, of in enumerate(share, 1)]
            means = cut(pixels_of(it.trace, it.loaded), *config.grid).mean(axis=(1, 2)).round().astype(np.uint8)
            return [panels.points(numbers, beside, PHOTO - 28, names, means if photo else None, patch_of(view))]
        case "patch_embedding":
            return [panels.columns(numbers, beside, PHOTO - 8, "components of the token", palette.PATCH)]
        case "position_embedding" if kind_of(view).headed:
            answers = [(row, best(row, MOST_CLASSES[view.page])) for row in numbers]
            return [
                panels.bars([it.loaded.labels[index] for index in shown], row[shown], wide, name)
                for (row, shown), name in zip(answers, kind_of(view).places, strict=True)
            ]
        case "position_embedding":
            name = f"similarity to the position of patch {patch_of(view) + 1}"
            heat = panels.heat(numbers, PHOTO, name, 1, signed=True, framed=patch_of(view), tall=tall)
            return [heat, panels.scale(1, signed=True)]
        case "query_key_value":
            both = zip(numbers, SCORED, (palette.SCORES, palette.ATTENTION), strict=True)
            return [panels.columns(row, wide, 130, name, colour) for row, name, colour in both]
        case "heads" if kind_of(view).axes == "q k":
            limit = float(numbers.max())
            whose = f"head {view.head + 1}" if kind_of(view).uses("head") else "mean of the heads"
            name = f"{whose}: a row for each query, a column for each key"
            return [panels.heat(numbers, beside, name, limit), panels.scale(limit, signed=False)]
        case "heads" | "depth":
            return _wall(it, numbers, tall, wide, beside)
        case "encoder_block":
            limit = float(np.abs(numbers).max())
            strips = [
                panels.strip(row, wide, name, limit) for row, name in zip(numbers, kind_of(view).places, strict=True)
            ]
            return [*strips, panels.scale(limit, signed=True)]
        case "class_head" if not kind_of(view).headed:
            limit = float(np.abs(numbers).max())
            return [panels.strip(numbers, wide, kind_of(view).says, limit), panels.scale(limit, signed=True)]
    lines = named_classes(numbers, MOST_CLASSES[view.page])
    curves = [(it.loaded.labels[index], numbers[:, index]) for index in lines]
    return [panels.curves(curves, beside, PHOTO - 60, "probability", "after layer (0: the embedding)")]


def _wall(it: Opened, rows: NDArray[Any], tall: float, wide: int, beside: int) -> list[Panel]:
    """Weights `panel t` on the patches, all on one scale that ends at the largest."""
    view, prefix = it.view, len(it.view.config.prefix_tokens)
    on_patches = rows[:, prefix:].reshape(-1, *view.config.grid)
    limit = float(on_patches.max())
    framed, colour = _framed(view)
    noun, chosen = chosen_of(view)
    side = float(TILE)
    if len(rows) <= ACROSS:
        abreast = len(rows) if beside < wide else min(2, len(rows))
        side = min(PHOTO - 60, (beside - GAP * (abreast - 1)) / abreast)
    maps = [
        panels.heat(
            each,
            side,
            f"{noun} {at + 1}{_off(view, at)}",
            limit,
            framed=framed,
            frame=colour,
            chosen=at == chosen,
            tall=tall,
        )
        for at, each in enumerate(on_patches)
    ]
    return [*maps, panels.scale(limit, signed=False)]


def _off(view: View, head: int) -> str:
    """What its name adds to a map of Heads that edits have switched off; those of Depth are of all layers so far."""
    if view.page != "heads":
        return ""
    edits = (it for it in view.edits.of("head", "attention", "block") if it.layer == view.layer and not it.word)
    return ": off" if any(it.number == 0 and (it.kind != "head" or head in it.places) for it in edits) else ""
