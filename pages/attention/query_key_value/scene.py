"""Query, key, value: one token's whole way through attention, from the stream and back to it."""

from typing import Any

import numpy as np

from vitviz.board.address import Address
from vitviz.board.scene import Parcels
from vitviz.config import NORM_NAMES, ViTConfig
from vitviz.results import measure
from vitviz.scripts.parcels import Arrays
from vitviz.selection import Selection

AT_ONCE = 4_000_000  # bytes of all layers' values up to which all of them are sent
FULL = 0.995  # of the numbers of the matrices have a colour of their own: a few large ones would leave all others dark


def parcels(selection: Selection, address: Address) -> Parcels:
    from vitviz.measures.attention import score_row
    from vitviz.measures.heads import head_shares

    config = selection.config
    everything = 4 * config.depth * 6 * config.tokens * config.dim <= AT_ONCE
    layers = range(config.depth) if everything else [address.layer]
    for layer in sorted(layers, key=lambda it: abs(it - address.layer)):
        yield f"values-{layer}", lambda layer=layer: _values(selection, layer)  # type: ignore[misc]
    name = f"shares-{address.layer}-{address.query}"
    yield name, lambda: {"shares": measure(selection, head_shares, address.layer, address.query)}
    if _own_scores(config) or any(selection.edits.of("temperature", "scale", "top_k", "window", "causal", "patch")):
        name = f"scores-{address.layer}-{address.query}"
        yield name, lambda: {"scores": measure(selection, score_row, address.layer, address.query)}


def _own_scores(config: ViTConfig) -> bool:
    """Whether scores are more than products of queries and keys."""
    return not config.plain_scores or config.positions in ("relative", "rotary")


def _values(selection: Selection, layer: int) -> Arrays:
    from vitviz.measures.heads import layer_values, product_spread, projections

    values = measure(selection, layer_values, layer)
    matrices = measure(selection, projections, layer)
    spread = measure(selection, product_spread, layer)
    limit = float(np.quantile(np.abs(matrices), FULL)) or 1.0
    return {name: getattr(values, name) for name in ("stream", "normalised", "q", "k", "v", "added")} | {
        "matrices": np.rint(127 + 127 * np.clip(matrices / limit, -1, 1)).astype(np.uint8),  # colours, not numbers
        "histogram": spread.counts.astype(np.int32),
        "spread": np.stack([spread.deviation, spread.reach], axis=1),
    }


def facts(selection: Selection) -> dict[str, Any]:
    config = selection.config
    post = config.norm_order == "post"
    read = (
        "the same: no norm stands before attention"
        if post
        else f"after {NORM_NAMES[config.norm]}, on one scale: what is read"
    )
    return {"read": read, "own_scores": _own_scores(config)}
