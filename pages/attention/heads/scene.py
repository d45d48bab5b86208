"""Heads: what every head of every layer looks at from one token, who looks at it, and what reaches it in all."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from vitviz.board.address import Address
from vitviz.board.scene import Parcels, attention_maps, rollouts
from vitviz.numbers import small
from vitviz.results import measure
from vitviz.scripts.parcels import Arrays
from vitviz.selection import Selection

DEMO = "demo"  # the model whose training was kept


def parcels(selection: Selection, address: Address) -> Parcels:
    yield from attention_maps(selection, address)
    yield f"exact-{address.layer}-{address.query}", lambda: _exact(selection, address)
    if address.switches["shows"] == "rollout":
        yield from rollouts(selection, address)
    if address.learned >= 0:
        yield from fixed(selection).items()


def fixed(selection: Selection) -> Mapping[str, Callable[[], Arrays]]:
    """What hangs on no picture: what was kept of training."""
    return {"learning": _learning} if selection.model.name == DEMO else {}


def _exact(selection: Selection, address: Address) -> Arrays:
    from vitviz.measures.quantised import exact_weights

    row, column = measure(selection, exact_weights, address.layer, address.query)
    return {"row": np.asarray(row), "column": np.asarray(column)}


def facts(selection: Selection) -> dict[str, Any]:
    """How far a row of weights of one byte each can be off, in percent; and the moments of training that were kept."""

    from vitviz.measures.quantised import largest_variation

    off = small(100 * largest_variation(selection.config.tokens))
    return {"off": off} | (_moments_of_training() if selection.model.name == DEMO else {})


@cache
def _moments_of_training() -> dict[str, Any]:
    """What was measured at every snapshot, in words, and the names of the scenes that were watched."""

    from vitviz.demo.dataset import VALIDATION
    from vitviz.demo.samples import WATCHED
    from vitviz.demo.snapshots import milestone, snapshots, when

    moments = [
        {
            "step": step,
            "says": f"{when(at)}: accuracy {small(milestone(at)['accuracy'])} on {len(VALIDATION)} held-out scenes, "
            f"where the class token gives the target {small(milestone(at)['attention_on_target'])} times what chance "
            "would.",
        }
        for at, step in enumerate(snapshots().steps)
    ]
    return {"learning": moments, "watched": [sample.title for sample in WATCHED]}


def _learning() -> Arrays:
    """What the class token looks at, mean of the heads: `s scene layer patch`; the scenes: `scene h w c`."""

    from vitviz.demo.samples import WATCHED
    from vitviz.demo.snapshots import snapshots

    maps = snapshots().attention.mean(axis=3)[..., 1:]
    return {"maps": maps, "scenes": np.stack([np.asarray(sample.scene.image) for sample in WATCHED])}
