"""Encoder block: what attention and the MLP read from the residual stream and add to it."""

from typing import Any

from vitviz.board.address import Address
from vitviz.board.scene import Parcels, attention_maps
from vitviz.config import ACTIVATION_NAMES, NORM_NAMES
from vitviz.results import measure
from vitviz.scripts.parcels import Arrays
from vitviz.selection import Selection

AT_ONCE = 5_000_000  # bytes of all blocks' values up to which all of them are sent
HIDDEN_AT_ONCE = 1_000_000  # bytes of the hidden units of all tokens of a block up to which all are sent


def parcels(selection: Selection, address: Address) -> Parcels:
    config = selection.config
    everything = 4 * config.depth * 7 * config.tokens * config.dim <= AT_ONCE
    layers = range(config.depth) if everything else [address.layer]
    for layer in sorted(layers, key=lambda it: abs(it - address.layer)):
        yield f"block-{layer}", lambda layer=layer: _values(selection, layer)  # type: ignore[misc]
    if address.moment == "activation" and 8 * config.tokens * config.mlp_dim <= HIDDEN_AT_ONCE:
        yield f"hidden-{address.layer}", lambda: _hidden(selection, address.layer, None)
    else:
        yield f"hidden-{address.layer}-{address.query}", lambda: _hidden(selection, address.layer, address.query)
    yield from attention_maps(selection, address)


def _values(selection: Selection, layer: int) -> Arrays:
    from vitviz.measures import blocks

    return measure(selection, blocks.block_values, layer)


def _hidden(selection: Selection, layer: int, query: int | None) -> Arrays:
    """Hidden units before and after the activation, of one token or of all: `m` or `t m`."""
    from vitviz.measures import blocks

    gated = selection.config.activation == "swiglu"
    before, after = measure(selection, blocks.gate if gated else blocks.hidden, layer, query)
    return {"before": before, "after": after}


def facts(selection: Selection) -> dict[str, Any]:
    config = selection.config
    return {
        "activation": "SiLU of the gate" if config.activation == "swiglu" else ACTIVATION_NAMES[config.activation],
        "norm": NORM_NAMES[config.norm],
        "post": config.norm_order == "post",
    }
