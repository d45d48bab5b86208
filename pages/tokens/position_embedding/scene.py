"""Position embedding: what is added, what it knows, and what it is for."""

from functools import cache
from typing import Any

import numpy as np

from vitviz.board.address import Address
from vitviz.board.pictures import aligned_balls, of_aligned_balls
from vitviz.board.scene import Parcels
from vitviz.results import measure, measure_embedding
from vitviz.scripts.parcels import Arrays
from vitviz.selection import Selection

from .page import exchanged_with

WHOLE = 600  # patches up to which all maps are sent


MAPS = {
    "relative": ("what its place adds to scores, 1 the largest", "one map per patch"),
    "rotary": ("how much of q·k stays of equal vectors", "one map per patch"),
    "none": ("there is nothing to compare", "one map per patch"),
}
COSINE = ("its cosine with every other", "one map per position")


def parcels(selection: Selection, address: Address) -> Parcels:
    config = selection.config
    yield "added", lambda: _added(selection)
    if config.patches <= WHOLE:
        yield "position-maps", lambda: {"maps": _maps(selection)}
    else:
        yield f"position-map-{address.patch}", lambda: {"map": _map(selection, address.patch)}
    if config.classes:
        yield "positions-answers", lambda: _answers(selection)
    if address.moment == "swap":
        first, second = address.patch, exchanged_with(config, address.patch, address.key)
        yield f"swap-{first}-{second}", lambda: _swapped(selection, first, second)


def facts(selection: Selection) -> dict[str, Any]:
    """Where a picture stands among the samples that shows what positions are for, 0 where this one does; what the maps
    are."""
    says, one = MAPS.get(selection.config.positions, COSINE)
    return {
        "balls": aligned_balls(selection),
        "aligned": of_aligned_balls(selection),
        "maps": f"{one}: {says}",
        "narrow": one,
    }


def _added(selection: Selection) -> Arrays:
    from vitviz.measures import tokens

    return {
        "token": measure_embedding(selection, tokens.embedded, "patch_tokens"),
        "position": measure_embedding(selection, tokens.patch_positions),
        "sum": measure_embedding(selection, tokens.placed_tokens)[len(selection.config.prefix_tokens) :],
    }


def _maps(selection: Selection) -> np.ndarray:
    from vitviz.measures import tokens

    if selection.learned is not None:
        return _learned_maps(selection.learned)
    maps = measure_embedding(selection, tokens.position_maps)
    return maps.reshape(selection.config.patches, -1)


@cache
def _learned_maps(step: int) -> np.ndarray:
    """The same of the demo model at a moment of its training."""
    from vitviz.demo.snapshots import snapshots

    return snapshots().position_maps(step)


def _map(selection: Selection, patch: int) -> np.ndarray:
    from vitviz.measures import tokens

    rows, columns = selection.config.grid
    row, column = divmod(patch, columns)
    return measure_embedding(selection, tokens.position_maps, row, column, max(rows, columns))[0, 0].ravel()


def _answers(selection: Selection) -> Arrays:
    from vitviz.measures import positions
    from vitviz.measures.classes import answer

    return {
        "learned": measure(selection, answer, selection.config.depth).probabilities,
        "off": measure(selection, positions.probabilities_without_positions),
        "shuffled": measure(selection, positions.probabilities_with_shuffled_positions),
        "order": measure(selection, positions.shuffled_order).astype(np.int32),
    }


def _swapped(selection: Selection, first: int, second: int) -> Arrays:
    from vitviz.measures import positions

    swap = measure(selection, positions.swapped_patches, first, second)
    return {"moved": swap.moved, "stayed": swap.stayed, "logits": swap.logits, "with": swap.with_positions}
