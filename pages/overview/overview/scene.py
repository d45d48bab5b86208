"""Overview: the whole model on one screen, each stage with a live picture."""

from functools import cache
from typing import Any

import numpy as np

from vitviz import counts
from vitviz.board.address import Address
from vitviz.board.scene import Parcels
from vitviz.lecture import LESSONS, lesson
from vitviz.lecture.payloads import link_to
from vitviz.results import measure, measure_embedding, requests
from vitviz.results.asking import engine
from vitviz.samples import samples
from vitviz.scripts.parcels import Arrays
from vitviz.selection import Selection
from vitviz.shelf.rows import SHELF

from .page import lit_layers


def parcels(selection: Selection, address: Address) -> Parcels:
    yield "overview", lambda: _stages(selection)


def facts(selection: Selection) -> dict[str, Any]:
    """The samples in the order of the sidebar, which of them is chosen, and what the model costs and reaches."""
    config = selection.config
    return {
        "samples": list(samples().titles.items()),
        "sample": selection.picture.id,
        "parameters": counts.total_parameters(config),
        "macs": counts.total_macs(config),
        "milliseconds": _milliseconds(selection),
        "tour": _tour(),
        "accuracy": None if selection.edits else _accuracy(selection.model.name),
    }


def alone(selection: Selection) -> dict[str, Any]:
    """The facts that are others where no server is: no lessons, and no forward pass of this machine."""
    return {"tour": None, "milliseconds": None}


def _milliseconds(selection: Selection) -> float | None:
    """Of the forward pass, where it is here."""
    passed = engine().cached(requests.info_request(selection))
    return 1000 * passed.value.seconds if passed else None


@cache
def _tour() -> dict[str, str]:
    """Two lessons that are offered, a long one and a short one, with the links to their beginnings."""
    long, short = map(lesson, LESSONS[:2])
    return {
        "title": long.title,
        "link": link_to(long.steps[0].view, long.name, 1),
        "short": f"{short.minutes:g} minutes",
        "short_link": link_to(short.steps[0].view, short.name, 1),
    }


@cache
def _accuracy(name: str) -> float | None:
    """The share of scenes without light that a model of ours answered rightly after its training."""
    from vitviz.demo.artifacts import read_metrics
    from vitviz.shelf.measured import shipped

    if name == "demo":
        found: float = read_metrics()["trained"]["light_off"]
        return found
    entry = shipped().get(name.removeprefix("shelf_")) if name in SHELF else None
    return entry["tested"][-1]["accuracy"] if entry else None


def _stages(selection: Selection) -> Arrays:
    from vitviz.board.readout import maps_by_layer
    from vitviz.measures import tokens
    from vitviz.measures.classes import logit_lens
    from vitviz.measures.quantised import deflated_light

    maps = np.asarray(maps_by_layer(selection), np.float32)
    layers = lit_layers(selection.config)
    lit: Arrays = {}
    if layers:
        lit = {"light": measure(selection, deflated_light, layers), "lit": np.array(layers, np.int32)}
    return {
        **lit,
        "tokens": measure_embedding(selection, tokens.token_components, 3).coordinates,
        "positions": measure_embedding(selection, tokens.position_components, 3).coordinates,
        "maps": maps.reshape(len(maps), -1),
        "lens": measure(selection, logit_lens).astype(np.float32),
    }
