"""Class head: the answer grows with the depth; norm, head and softmax make it."""

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
    from vitviz.measures.classes import answer

    config = selection.config
    if config.classes:
        yield "lens", lambda: _lens(selection)
    if config.pool == "class":
        yield "class-token", lambda: _class_token(selection)
    if not config.classes:
        yield "result", lambda: {"vector": measure(selection, answer, config.depth).logits}


def _lens(selection: Selection) -> Arrays:
    """Logits and probabilities of all classes before the first block and after each, and the classes worth a line."""

    from vitviz.measures.classes import answer, logit_lens, named_classes

    depth = selection.config.depth
    table = measure(selection, logit_lens)
    logits = np.stack([measure(selection, answer, layer).logits for layer in range(depth + 1)])
    return {"probabilities": table, "logits": logits, "lines": np.array(named_classes(table, LINES), np.int32)}


def _class_token(selection: Selection) -> Arrays:
    """The class token in the residual stream before the first block and after each, here and of another picture."""

    from vitviz.measures.classes import answer
    from vitviz.ui.sidebar import samples

    others = [picture for picture in samples.samples().values() if picture.digest != selection.picture.digest]
    other = Selection(selection.model, others[0])
    depth = selection.config.depth
    own, second = (
        np.stack([measure(each, answer, layer).stream[0] for layer in range(depth + 1)]) for each in (selection, other)
    )
    return {"own": own, "other": second}


SCENE = Scene(
    label="Class",
    colour=palette.HEAD,
    shape=lambda config: exact(config.classes) if config.classes else exact(config.dim),
    moments=_moments,
    parcels=_parcels,
)
