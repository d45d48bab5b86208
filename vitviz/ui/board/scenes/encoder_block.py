"""Encoder block: what attention and the MLP read from the residual stream and add to it."""

from vitviz import palette
from vitviz.config import ViTConfig
from vitviz.numbers import exact
from vitviz.ui.board.address import Address
from vitviz.ui.board.attention import attention_maps
from vitviz.ui.board.parcels import Arrays
from vitviz.ui.board.scene import Parcels, Scene
from vitviz.ui.results import measure
from vitviz.ui.selection import Selection

AT_ONCE = 5_000_000  # bytes of all blocks' values up to which all of them are sent


def _moments(config: ViTConfig) -> tuple[str, ...]:
    return (
        "Read, add; read, add: a block never replaces the {residual stream}.",
        "Layer norm: every token to mean 0 and variance 1, then scaled and shifted.",
        "The MLP's hidden units: the activation lets large numbers pass, and few others.",
        "A 3 × 3 convolution sees its neighbours. A head may look anywhere.",
    )


def _parcels(selection: Selection, address: Address) -> Parcels:
    config = selection.config
    everything = 4 * config.depth * 7 * config.tokens * config.dim <= AT_ONCE
    layers = range(config.depth) if everything else [address.layer]
    for layer in sorted(layers, key=lambda it: abs(it - address.layer)):
        yield f"block-{layer}", lambda layer=layer: _values(selection, layer)  # type: ignore[misc]
    yield f"hidden-{address.layer}-{address.query}", lambda: _hidden(selection, address)
    yield from attention_maps(selection, address)


def _values(selection: Selection, layer: int) -> Arrays:
    from vitviz.measures import blocks

    return measure(selection, blocks.block_values, layer)


def _hidden(selection: Selection, address: Address) -> Arrays:
    from vitviz.measures import blocks

    gated = selection.config.activation == "swiglu"
    before, after = measure(selection, blocks.gate if gated else blocks.hidden, address.layer, address.query)
    return {"before": before, "after": after}


SCENE = Scene(
    label="Block",
    colour=palette.MLP,
    shape=lambda config: f"{exact(config.tokens)} × {exact(config.dim)}",
    moments=_moments,
    parcels=_parcels,
)
