"""Class head: the answer grows with the depth; norm, head and softmax make it; and the whole way of one patch."""

from typing import Any

import numpy as np

from vitviz.board.address import Address
from vitviz.board.lens import lens
from vitviz.board.scene import Parcels, attention_rows
from vitviz.config import ViTConfig
from vitviz.results import measure
from vitviz.scripts.parcels import Arrays
from vitviz.selection import Selection

from .page import reads

PATCHES_AT_ONCE = 1_000_000  # bytes of what patches are on their way up to which those of all are sent
WEIGHTS = 2_000_000  # weights of the head up to which they are sent


def parcels(selection: Selection, address: Address) -> Parcels:
    from vitviz.measures.classes import result

    config = selection.config
    if config.classes:
        yield "lens", lambda: lens(selection)
    if config.pool == "class":
        yield "class-token", lambda: _class_token(selection)
    if _weights_fit(config):
        yield "class-inputs", lambda: _inputs(selection)
        yield "class-weights", lambda: _weights(selection)
    if not config.classes:
        yield "result", lambda: {"vector": measure(selection, result)}
    if address.moment == "way":
        yield from _way(selection, address)


def _way(selection: Selection, address: Address) -> Parcels:
    """What the chosen patch is on its way, or all patches where they fit, and what it and the class token look at."""
    config = selection.config
    if 4 * 4 * config.patches * config.dim <= PATCHES_AT_ONCE:
        yield "way", lambda: _vectors(selection, slice(None))
    else:
        yield f"way-{address.patch}", lambda: _vectors(selection, slice(address.patch, address.patch + 1))
    queries = [len(config.prefix_tokens) + address.patch, *([0] if config.pool == "class" else [])]
    yield from attention_rows(selection, address, queries)


def _vectors(selection: Selection, patches: slice) -> Arrays:
    """The chosen patches embedded, their positions, the sum of both, and what leaves the last block: `patch d` each."""
    from vitviz.measures import blocks, tokens

    config = selection.config
    first = len(config.prefix_tokens)
    leaving = measure(selection, blocks.block_values, config.depth - 1)["leaving"]
    return {
        "token": measure(selection, tokens.embedded, "patch_tokens")[patches],
        "position": measure(selection, tokens.patch_positions)[patches],
        "sum": measure(selection, tokens.placed_tokens)[first:][patches],
        "leaves": leaving[first:][patches],
    }


def facts(selection: Selection) -> dict[str, Any]:
    from vitviz.board.readout import reader

    config = selection.config
    vector = "the hidden layer" if config.pre_logits else reader(config).short
    return {
        "other": _other(selection).picture.title,
        "weights": _weights_fit(config),
        "read": vector,
        "reads": reads(config),
    }


def _weights_fit(config: ViTConfig) -> bool:
    return 0 < config.classes * reads(config) <= WEIGHTS


def _other(selection: Selection) -> Selection:
    """The same model on another picture: the first sample of the same kind that is not the one on screen."""
    from vitviz import samples

    picture = selection.picture
    others = (it for it in samples.samples().values() if it.digest != picture.digest and it.drawn == picture.drawn)
    return Selection(selection.model, next(others))


def _class_token(selection: Selection) -> Arrays:
    """The class token in the residual stream before the first block and after each, here and of another picture."""

    from vitviz.measures.classes import answer

    depth = selection.config.depth
    own, second = (
        np.stack([measure(each, answer, layer).stream[0] for layer in range(depth + 1)])
        for each in (selection, _other(selection))
    )
    return {"own": own, "other": second}


def _weights(selection: Selection) -> Arrays:
    """The head's weights and biases, which no edit changes."""

    from vitviz.measures.classes import head_parameters

    head = measure(selection, head_parameters)
    return {"weights": head.weights, "biases": head.biases}


def _inputs(selection: Selection) -> Arrays:
    """What the head reads before the first block and after each."""

    from vitviz.measures.classes import head_inputs

    inputs = [measure(selection, head_inputs, layer) for layer in range(selection.config.depth + 1)]
    return {"inputs": np.stack(inputs)}
