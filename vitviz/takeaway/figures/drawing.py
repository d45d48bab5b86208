"""The figure of a view of any kind: the picture, and beside it what its page shows, from its notebook's numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from vitviz import palette
from vitviz.demo.samples import WATCHED
from vitviz.figures.attention import maps
from vitviz.figures.attention.steps import scores_and_weights
from vitviz.figures.figure import Figure, Panel
from vitviz.figures.marks import Colours, Grid, Heat, Mark, Picture
from vitviz.figures.model import classes
from vitviz.figures.parts import RGB, framed, pictured
from vitviz.figures.printed.captioned import sheet_of
from vitviz.figures.printed.marks import Sheet
from vitviz.figures.strips import bars, strips
from vitviz.figures.tokens.patch_embedding import token_cloud
from vitviz.figures.tokens.position_embedding import similarity_map
from vitviz.measures.classes import best, named_classes
from vitviz.takeaway.calculations import PRINTED, calculation_of, patch_of, values
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.figures.captioned import caption, chosen_of, learned_caption, on_a_patch
from vitviz.view import View
from vitviz.weights.pixels import pixels_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vitviz.takeaway.opening import Opened
    from vitviz.trace import Trace
    from vitviz.weights import Loaded

BELOW = ("query_key_value", "encoder_block")  # pages whose figure is as wide as the sheet
PHOTO, SIDE = 280, 210  # pixels of the picture, and of a map of a moment of training
MOST_CLASSES = {"overview": 8, "position_embedding": 4, "class_head": 16}  # of those of the page that are drawn
WIDTH, NARROW = 960, 480  # pixels of a sheet, and of one for a phone


def require_printed(view: View) -> None:
    """Raise `TakeawayError` for a page that has no figure of its own, before anything is computed."""
    if view.page not in PRINTED and view.learned is None:
        raise TakeawayError(
            f"{view.page} has no figure for print here, but data and a notebook; figures are {', '.join(PRINTED)}"
        )


def sheet(it: Opened | View, title: str = "", photo: bool = True, width: int = WIDTH) -> Sheet:
    """The figure of a view for print, with its caption and its source; `title` is what the picture is called.

    On one that is not twice as wide as the picture, everything else is below that. Without the `photo` its place stays
    empty, and says so; a moment of training needs no picture. Raises `TakeawayError` for a page that is not in
    `PRINTED`: its figures are those that it draws.
    """
    view = it if isinstance(it, View) else it.view
    if view.learned is not None:
        numbers = values(view)
        return sheet_of(_learned(view, numbers), learned_caption(view, float(np.abs(numbers).max())), width)
    if isinstance(it, View):
        raise TakeawayError("this page counts: there is no picture to draw; take its data or its notebook")
    require_printed(view)
    numbers = values(view, it.trace)
    figure = figure_of(view, numbers, it.trace, it.loaded)
    if width < 3 * PHOTO:
        figure = replace(figure, rows=tuple((panel,) for row in figure.rows for panel in row))
    said = caption(it, numbers, title or it.title, MOST_CLASSES[view.page] if calculation_of(view).headed else 0)
    return sheet_of(figure, said, width, photos=photo)


def figure_of(view: View, numbers: NDArray[Any], trace: Trace, loaded: Loaded | None = None) -> Figure:
    """The picture, and beside it the figure of a view's `numbers`; classes have their names with `loaded`."""
    figure = _of_page(view, numbers, trace, loaded)
    picture = _picture(view, pixels_of(trace, loaded))
    (first, *others), *rows = figure.rows
    if others or rows or view.page in BELOW:
        return replace(figure, rows=((picture,), *figure.rows), title="")
    return replace(figure, rows=((picture, replace(first, wide=2.2)),), title="")


def _learned(view: View, numbers: NDArray[Any]) -> Figure:
    """What was kept of a moment of training."""
    if view.page != "heads":
        return similarity_map(numbers, patch_of(view))
    grid, colours = view.config.grid, Colours(float(numbers.max()))
    scenes = [(Picture(np.asarray(it.scene.image), *grid, photo=False), it.title) for it in WATCHED]
    photos = tuple(pictured((picture,), *grid, SIDE, title=title) for picture, title in scenes)
    looks = tuple(pictured((Heat(row.reshape(grid), colours),), *grid, SIDE, title="where it looks") for row in numbers)
    return Figure((photos, looks), scale=colours)


def _picture(view: View, pixels: NDArray[np.uint8]) -> Panel:
    """What the model sees, with the patch that is asked or looked at."""
    its, grid = calculation_of(view), view.config.grid
    asks = its.uses("query") and on_a_patch(view)
    marks: list[Mark] = [Picture(pixels, *grid)]
    if view.page == "patch_grid":
        marks.append(Grid(*grid))
    if its.uses("patch") or asks:
        marks.append(framed(*divmod(patch_of(view), grid[1]), edge=_edge(view)))
    return pictured(marks, *grid, PHOTO, _tall(view), "what the model sees")


def _edge(view: View) -> str:
    """The colour around the patch: that of the query, where it asks."""
    its = calculation_of(view)
    asks = its.uses("query") and on_a_patch(view)
    return palette.QUERY if asks or (its.axes == "layer k" and its.uses("patch")) else ""


def _tall(view: View) -> float:
    (high, wide), (rows, columns) = view.config.image_sides, view.config.grid
    return high / rows / (wide / columns)


def _of_page(view: View, numbers: NDArray[Any], trace: Trace, loaded: Loaded | None) -> Figure:
    its, config = calculation_of(view), view.config
    most = MOST_CLASSES.get(view.page, 0)
    match view.page:
        case "overview" if its.headed:
            shown = best(numbers, most)
            return classes.probabilities(_labels(loaded, shown), numbers[shown])
        case "overview" | "depth":
            return _wall(view, numbers)
        case "patch_grid":
            return _channels(view, numbers)
        case "patch_embedding" if its.axes == "n component":
            return token_cloud(numbers, pixels_of(trace, loaded), *config.grid, patch_of(view))
        case "patch_embedding":
            return bars("components of the token", numbers, palette.PATCH, photo=True)
        case "position_embedding" if its.headed:
            answers = [(row, best(row, most)) for row in numbers]
            drawn = [classes.probabilities(_labels(loaded, shown), row[shown]) for row, shown in answers]
            named = zip(its.places, drawn, strict=True)
            return replace(drawn[0], rows=(tuple(replace(it.rows[0][0], title=name) for name, it in named),), title="")
        case "position_embedding":
            return similarity_map(numbers, patch_of(view), _tall(view))
        case "query_key_value":
            scores, weights = numbers
            names = config.token_names
            return scores_and_weights(scores, weights, names, config.prefix_tokens, int(weights.argmax()))
        case "heads" if its.axes == "q k":
            return maps.matrix(numbers, config.token_names, config.prefix_tokens, view.query)
        case "heads":
            return _wall(view, numbers)
        case "encoder_block":
            return strips(dict(zip(its.places, numbers, strict=True)))
        case "class_head" if not its.headed:
            return strips({its.says: numbers})
    lines = named_classes(numbers, most)
    return classes.curves(_labels(loaded, lines), numbers[:, lines])


def _channels(view: View, numbers: NDArray[Any]) -> Figure:
    """The numbers of the patch, a map for each channel."""
    channels = numbers.reshape(view.config.channels, *view.config.patch_sides)
    colours = Colours(float(np.abs(numbers).max()), signed=True)
    names = RGB if len(channels) == 3 else [f"channel {at + 1}" for at in range(len(channels))]
    high, wide = view.config.patch_sides
    panels = [
        pictured((Heat(channel, colours, photo=True),), high, wide, SIDE, title=name)
        for name, channel in zip(names, channels, strict=True)
    ]
    return Figure((tuple(panels),), scale=colours)


def _wall(view: View, rows: NDArray[Any]) -> Figure:
    """Weights `panel t` on the patches, on one scale that ends at the largest."""
    on_patches = rows[:, len(view.config.prefix_tokens) :].reshape(-1, *view.config.grid)
    noun, chosen = ("layer", view.layer) if view.page == "overview" else chosen_of(view)
    asks = on_a_patch(view) or calculation_of(view).uses("patch")
    cell = divmod(patch_of(view), view.config.grid[1]) if asks else None
    limit = float(on_patches.max())
    edge = _edge(view) or palette.FRAME
    return maps.wall(on_patches, noun, limit, chosen, cell, _tall(view), _off(view, len(rows)), edge)


def _off(view: View, heads: int) -> set[int]:
    """The heads of a map of *Heads* that edits have switched off; the maps of Depth are of all layers so far."""
    if view.page != "heads":
        return set()
    edits = [it for it in view.edits.of("head", "attention", "block") if it.layer == view.layer and not it.word]
    off = [it for it in edits if it.number == 0]
    return {head for head in range(heads) if any(it.kind != "head" or head in it.places for it in off)}


def _labels(loaded: Loaded | None, shown: Sequence[int]) -> list[str]:
    return [loaded.labels[index] if loaded else f"class {index}" for index in shown]
