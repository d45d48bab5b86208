"""Heads: what every head of every layer looks at from one token, who looks at it, and what reaches it in all."""

import numpy as np

from vitviz import palette
from vitviz.config import ViTConfig
from vitviz.measures.attention import rollout
from vitviz.measures.quantised import AT_ONCE, exact_weights, quantised_bytes, quantised_rows
from vitviz.numbers import exact
from vitviz.ui.board.address import Address
from vitviz.ui.board.parcels import Arrays
from vitviz.ui.board.scenes.scene import Parcels, Scene
from vitviz.ui.results import measure, quantised_attention
from vitviz.ui.selection import Selection

LARGEST_LAYER = 64_000_000  # bytes of one layer's maps that a browser is given


def _moments(config: ViTConfig) -> tuple[str, ...]:
    many = config.heads
    heads = f"{many} heads, {many} different questions" if many > 1 else "One head, one question"
    return (
        f"{heads}: what does each ask of this {{patch}}?",
        "Every token asks every token: one row of the matrix per {query}.",
        "Two heads beside each other: the same {query}, another answer.",
    )


def _parcels(selection: Selection, address: Address) -> Parcels:
    yield from attention_maps(selection, address)
    if address.switches["shows"] == "rollout":
        yield f"rollout-{address.query}", lambda: {"rows": measure(selection, rollout)[:, address.query]}
    name = f"exact-{address.layer}-{address.query}"
    yield name, lambda: _exact(selection, address)


def attention_maps(selection: Selection, address: Address) -> Parcels:
    """All maps where a browser can hold them, else those of the layer and of the query that are looked at."""
    config = selection.config
    layer_bytes = quantised_bytes(config)
    if config.depth * layer_bytes <= AT_ONCE:
        layers = sorted(range(config.depth), key=lambda it: abs(it - address.layer))
    else:
        yield f"rows-{address.query}", lambda: {"code": measure(selection, quantised_rows, address.query)}
        layers = [address.layer] if layer_bytes <= LARGEST_LAYER else []
    for layer in layers:
        yield f"maps-{layer}", lambda layer=layer: {"code": quantised_attention(selection, layer)}  # type: ignore[misc]


def _exact(selection: Selection, address: Address) -> Arrays:
    row, column = measure(selection, exact_weights, address.layer, address.query)
    return {"row": np.asarray(row), "column": np.asarray(column)}


SCENE = Scene(
    label="Heads",
    colour=palette.ATTENTION,
    shape=lambda config: f"{config.heads} × {exact(config.tokens)} × {exact(config.tokens)}",
    moments=_moments,
    parcels=_parcels,
)
