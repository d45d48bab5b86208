"""The figures of the pages in a notebook: `vitviz.show("heads", trace, layer=3)`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vitviz.addresses.place import STRONGEST
from vitviz.figures import classes
from vitviz.figures.attention import maps
from vitviz.figures.attention.steps import scores_and_weights
from vitviz.figures.strips import strips
from vitviz.figures.tokens.patch_embedding import token_grid
from vitviz.figures.tokens.patch_grid import patch_grid
from vitviz.figures.tokens.position_embedding import similarity_map
from vitviz.measures.classes import best, named_classes
from vitviz.measures.tokens import token_components
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.kinds import kind_of, patch_of, values
from vitviz.takeaway.pixels import pixels_of
from vitviz.takeaway.view import View, check_places, token_names

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import plotly.graph_objects as go
    from numpy.typing import NDArray

    from vitviz.trace import Trace
    from vitviz.weights import Loaded

MOST_BARS, MOST_LINES = 10, 16


def show(
    page: str,
    trace: Trace,
    loaded: Loaded | None = None,
    *,
    layer: int = 0,
    head: int = 0,
    query: int = 0,
    shows: str = "row",
) -> go.Figure:
    """The main figure of a page as Plotly draws it; layers, heads and query tokens count from 0.

    Pages are those of the app by the last part of their addresses: "patch_grid", "heads", "class_head" ... With
    `loaded`, what `load` returned, pictures have their own colours and classes their names. `shows="column"` turns
    *Heads* round: who looks at the token. Raises `TakeawayError` for what there is not.
    """
    if page not in DRAWN:
        raise TakeawayError(f"there is no figure of “{page}”; there are {', '.join(DRAWN)}")
    config = trace.config
    check_places(config, layer=layer, head=head, query=query)
    view = View(page, "", config, 0, "", None, trace.edits, layer, head, query, STRONGEST, 0, config.depth, shows)
    return DRAWN[page](view, trace, loaded)


def _overview(view: View, trace: Trace, loaded: Loaded | None) -> go.Figure:
    if not view.config.classes:
        return _wall(view, values(view, trace), "layer", view.layer)
    probabilities = values(view, trace)
    shown = best(probabilities, MOST_BARS)
    return classes.probabilities(_labels(loaded, shown), probabilities[shown])


def _patch_grid(view: View, trace: Trace, loaded: Loaded | None) -> go.Figure:
    return patch_grid(pixels_of(trace, loaded), *view.config.grid, patch_of(view))


def _patch_embedding(view: View, trace: Trace, loaded: Loaded | None) -> go.Figure:
    return token_grid(token_components(trace, 3).coordinates, *view.config.grid, patch_of(view))


def _position_embedding(view: View, trace: Trace, loaded: Loaded | None) -> go.Figure:
    return similarity_map(values(view, trace), patch_of(view))


def _query_key_value(view: View, trace: Trace, loaded: Loaded | None) -> go.Figure:
    scores, weights = values(view, trace)
    names = token_names(view.config)
    return scores_and_weights(scores, weights, names, view.config.prefix_tokens, int(weights.argmax()))


def _heads(view: View, trace: Trace, loaded: Loaded | None) -> go.Figure:
    return _wall(view, values(view, trace), "head", view.head)


def _depth(view: View, trace: Trace, loaded: Loaded | None) -> go.Figure:
    return _wall(view, values(view, trace), "layer", view.layer)


def _encoder_block(view: View, trace: Trace, loaded: Loaded | None) -> go.Figure:
    return strips(dict(zip(kind_of(view).places, values(view, trace), strict=True)))


def _class_head(view: View, trace: Trace, loaded: Loaded | None) -> go.Figure:
    if not view.config.classes:
        return strips({kind_of(view).says: values(view, trace)})
    table = values(view, trace)
    lines = named_classes(table, MOST_LINES)
    winners = [lines.index(winner) if winner in lines else None for winner in table.argmax(axis=1)]
    return classes.lens(table[:, lines], _labels(loaded, lines), winners, len(table) - 1)


DRAWN: dict[str, Callable[[View, Trace, Loaded | None], go.Figure]] = {
    "overview": _overview,
    "patch_grid": _patch_grid,
    "patch_embedding": _patch_embedding,
    "position_embedding": _position_embedding,
    "query_key_value": _query_key_value,
    "heads": _heads,
    "depth": _depth,
    "encoder_block": _encoder_block,
    "class_head": _class_head,
}


def _wall(view: View, rows: NDArray[Any], noun: str, chosen: int) -> go.Figure:
    """Weights `panel t` on the patches, on one scale that ends at the largest."""
    prefix = len(view.config.prefix_tokens)
    on_patches = rows[:, prefix:].reshape(-1, *view.config.grid)
    framed = view.query >= prefix or kind_of(view).uses("patch")
    cell = divmod(patch_of(view), view.config.grid[1]) if framed else None
    return maps.wall(on_patches, noun, float(on_patches.max()), chosen, cell)


def _labels(loaded: Loaded | None, shown: Sequence[int]) -> list[str]:
    return [loaded.labels[index] if loaded else f"class {index}" for index in shown]
