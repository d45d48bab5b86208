"""What the scenes are given of an answer, before the first block and after each: the logit lens, or vectors."""

from collections.abc import Callable

import numpy as np

from vitviz.config import ViTConfig
from vitviz.results import measure
from vitviz.scripts.parcels import Arrays
from vitviz.selection import Selection

LINES = 16  # classes of the logit lens that are drawn
EVERY = 1_000_000  # probabilities of the logit lens up to which those of every class are sent


def lens(selection: Selection) -> Arrays:
    """Logits and probabilities before the first block and after each, of the `classes` that a browser is given, and
    the places of those worth a line among them."""
    from vitviz.measures.classes import answer, best, logit_lens, named_classes

    depth = selection.config.depth
    table = measure(selection, logit_lens)
    logits = np.stack([measure(selection, answer, layer).logits for layer in range(depth + 1)])
    lines = named_classes(table, LINES)
    classes = np.arange(table.shape[1])
    if table.size > EVERY:
        classes = np.unique([*lines, *(which for row in table for which in best(row, LINES))])
    return {
        "classes": classes.astype(np.int32),
        "probabilities": table[:, classes],
        "logits": logits[:, classes],
        "lines": np.searchsorted(classes, lines).astype(np.int32),
    }


def vectors(selection: Selection) -> Arrays:
    """What a head would read before the first block and after each, of a model without one: `(depth + 1) d`."""
    from vitviz.measures.classes import results

    return {"vectors": measure(selection, results)}


def read_out(config: ViTConfig) -> tuple[str, Callable[[Selection], Arrays]]:
    """What a browser asks for of an answer: the parcel's name, and what makes it."""
    return ("lens", lens) if config.classes else ("vectors", vectors)
