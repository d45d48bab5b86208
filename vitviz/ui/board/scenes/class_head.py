"""Class head: the answer grows with the depth; norm, head and softmax make it."""

from typing import Any

import numpy as np

from vitviz import palette
from vitviz.config import ViTConfig
from vitviz.numbers import exact
from vitviz.ui.board.address import Address
from vitviz.ui.board.parcels import Arrays
from vitviz.ui.board.scene import Parcels, Scene
from vitviz.ui.results import measure
from vitviz.ui.selection import Selection

LINES = 16  # classes of the logit lens that are drawn
EVERY = 1_000_000  # probabilities of the logit lens up to which those of every class are sent
WEIGHTS = 2_000_000  # weights of the head up to which they are sent


def _moments(config: ViTConfig) -> tuple[str, ...]:
    journey = "Before layer 1 the {class token} is the same for every picture; then it gathers."
    result = "This model has no head: its result is the vector that a head would read."
    if not config.classes:
        return (journey, result) if config.pool == "class" else (result,)
    moments = (
        "The answer grows: what the head would say after every layer.",
        "The head gives one logit per class; softmax makes them probabilities.",
    )
    return (*moments, journey) if config.pool == "class" else moments


def _parcels(selection: Selection, address: Address) -> Parcels:
    from vitviz.measures.classes import result

    config = selection.config
    if config.classes:
        yield "lens", lambda: _lens(selection)
    if config.pool == "class":
        yield "class-token", lambda: _class_token(selection)
    if _weights_fit(config):
        yield "class-weights", lambda: _weights(selection)
    if not config.classes:
        yield "result", lambda: {"vector": measure(selection, result)}


def _facts(selection: Selection) -> dict[str, Any]:
    return {"other": _other(selection).picture.title, "weights": _weights_fit(selection.config)}


def _weights_fit(config: ViTConfig) -> bool:
    return 0 < config.classes * config.dim <= WEIGHTS


def _lens(selection: Selection) -> Arrays:
    """Logits and probabilities before the first block and after each, of the `classes` that a browser is given, and
    the places of those worth a line among them."""

    from vitviz.measures.classes import answer, best, logit_lens, named_classes

    depth = selection.config.depth
    table = measure(selection, logit_lens)
    logits = np.stack([measure(selection, answer, layer).logits for layer in range(depth + 1)])
    lines = named_classes(table, LINES)
    kept = np.arange(table.shape[1])
    if table.size > EVERY:
        kept = np.unique([*lines, *(which for row in table for which in best(row, LINES))])
    return {
        "classes": kept.astype(np.int32),
        "probabilities": table[:, kept],
        "logits": logits[:, kept],
        "lines": np.searchsorted(kept, lines).astype(np.int32),
    }


def _other(selection: Selection) -> Selection:
    """The same model on another picture: the first sample that is not the one on screen."""
    from vitviz.ui.sidebar import samples

    others = (picture for picture in samples.samples().values() if picture.digest != selection.picture.digest)
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
    """The head's weights and biases, and what it reads before the first block and after each."""

    from vitviz.measures.classes import head_inputs, head_parameters

    head = measure(selection, head_parameters)
    inputs = [measure(selection, head_inputs, layer) for layer in range(selection.config.depth + 1)]
    return {"weights": head.weights, "biases": head.biases, "inputs": np.stack(inputs)}


SCENE = Scene(
    label="Class",
    colour=palette.HEAD,
    shape=lambda config: exact(config.classes) if config.classes else exact(config.dim),
    moments=_moments,
    parcels=_parcels,
    facts=_facts,
)
