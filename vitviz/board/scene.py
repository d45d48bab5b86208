"""What the scene of a page has beside the picture: what `parcels` and `facts` of its `scene.py` make, if any.

Attention weights, which several scenes are made of, are given of all layers where they fit into a browser, else of the
selection.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from vitviz.board.address import Address
from vitviz.page import Page
from vitviz.pages import module_of
from vitviz.results import measure, quantised_attention
from vitviz.scripts.parcels import Arrays
from vitviz.selection import Selection

Parcels = Iterator[tuple[str, Callable[[], Arrays]]]
LARGEST_LAYER = 64_000_000  # bytes of one layer's maps that a browser is given
ROLLOUTS_AT_ONCE = 4_000_000  # bytes of the rollouts of all queries up to which they are sent
WITH_NEIGHBOURS = 8_000_000  # bytes of one layer up to which the layers before and after come too


def parcels(page: Page, selection: Selection, address: Address) -> Parcels:
    """The name of every block of numbers that the scene needs for an address, and what makes its arrays.

    The most wanted come first; equal names hold equal numbers.
    """
    make = _of_scene(page, "parcels")
    return make(selection, address) if make else iter(())


def facts(page: Page, selection: Selection) -> dict[str, Any]:
    """What is small and no array, as JSON."""
    make = _of_scene(page, "facts")
    return make(selection) if make else {}


def fixed(page: Page, selection: Selection) -> Mapping[str, Callable[[], Arrays]]:
    """Those of its numbers that hang on no picture, by name: all that a page without a server is given of them."""
    make = _of_scene(page, "fixed")
    return make(selection) if make else {}


def facts_alone(page: Page, selection: Selection) -> dict[str, Any]:
    """The facts of a page without a server."""
    make = _of_scene(page, "alone")
    return facts(page, selection) | (make(selection) if make else {})


def _of_scene(page: Page, name: str) -> Callable[..., Any] | None:
    return getattr(module_of(page, "scene"), name, None) if (page.folder / "scene.py").is_file() else None


def attention_maps(selection: Selection, address: Address) -> Parcels:
    """Attention weights in one byte each: of all layers, or of the selected layer and of the query in all layers."""

    from vitviz.measures.quantised import AT_ONCE, quantised_bytes, quantised_rows

    config, layer = selection.config, address.layer
    layer_bytes = quantised_bytes(config)
    if config.depth * layer_bytes <= AT_ONCE:
        layers = sorted(range(config.depth), key=lambda other: abs(other - layer))
    else:
        yield f"rows-{address.query}", lambda: {"code": measure(selection, quantised_rows, address.query)}
        near = [layer, layer + 1, layer - 1] if layer_bytes <= WITH_NEIGHBOURS else [layer]
        layers = [other for other in near if 0 <= other < config.depth] if layer_bytes <= LARGEST_LAYER else []
    for each in layers:
        yield f"maps-{each}", lambda each=each: {"code": quantised_attention(selection, each)}  # type: ignore[misc]


def attention_rows(selection: Selection, address: Address, queries: Iterable[int]) -> Parcels:
    """What some tokens look at in all layers and heads: with the maps of all layers where they fit, else row by row."""
    from vitviz.measures.quantised import AT_ONCE, quantised_bytes, quantised_rows

    config = selection.config
    if config.depth * quantised_bytes(config) <= AT_ONCE:
        yield from attention_maps(selection, address)
        return
    for query in queries:
        yield f"rows-{query}", lambda query=query: {"code": measure(selection, quantised_rows, query)}  # type: ignore[misc]


def rollouts(selection: Selection, address: Address) -> Parcels:
    """Attention rollout after every layer, float32: of all queries, or of the selected one."""

    from vitviz.measures.attention import rollout

    config = selection.config
    if 4 * config.depth * config.tokens**2 <= ROLLOUTS_AT_ONCE:
        yield "rollouts", lambda: {"rows": measure(selection, rollout)}
    else:
        yield f"rollout-{address.query}", lambda: {"rows": measure(selection, rollout)[:, address.query]}
