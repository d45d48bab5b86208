"""Maps that ask everything once, in pieces: each is a request of its own, so that a page paints while it waits.

Whoever leaves, or changes what is asked for, waits for no more than the piece that runs; pieces that are done are kept.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

import streamlit as st

from vitviz import results
from vitviz.results import requests
from vitviz.selection import Picture, Selection
from vitviz.ui.server.client import ask, begin_all, engine

if TYPE_CHECKING:
    from vitviz.edits.running import Hits
    from vitviz.engine import Request
    from vitviz.forward import Forward
    from vitviz.measures.arrays import Array
    from vitviz.measures.laboratory.chance import ByChance

T = TypeVar("T")
Direction = Literal["enough", "needed"]

SCENES, SCENES_AT_ONCE = 500, 50  # whose answers are counted, and in one piece
PACE = 1.0  # seconds between two drawings of what grows: a browser clears a figure before it draws the next
ANSWERS_AT_ONCE = 6  # by chance: one after the other, so that few are no slower


@dataclass(frozen=True)
class Piece(Generic[T]):
    """Part of a map: heads, patches, tokens or scenes `first` to `last - 1`, in `layer` where there is one."""

    layer: int
    first: int
    last: int
    request: "Request[T]"


def heads_map(selection: Selection, instead: str = "off") -> "list[Piece[Array]]":
    """`heads_off` of all layers: the change of all logits when one head is off, or at its "mean", `head classes`."""
    from vitviz.measures.interventions import heads_off

    config = selection.config
    _require(selection, config.heads * (config.depth + 1) // 2, "switching off every head")

    def request(layer: int, first: int, last: int) -> "Request[Array]":
        if instead == "mean":
            return _at_their_means(selection, layer, first, last)
        return results.measurement(selection, heads_off, layer, first, last)

    return [
        Piece(layer, first, last, request(layer, first, last))
        for layer in range(config.depth)
        for first, last in _stretches(selection, config.heads, layer)
    ]


def occlusion_map(selection: Selection, way: str) -> "list[Piece[Array]]":
    """`occluded` of all patches: the change of all logits when one is hidden in one of `WAYS`, `patch classes`."""
    from vitviz.measures.interventions import occluded

    _require(selection, selection.config.patches, "hiding every patch")
    return [
        Piece(0, first, last, results.measurement(selection, occluded, way, first, last))
        for first, last in _stretches(selection, selection.config.patches, 0)
    ]


def causal_map(selection: Selection, other: Picture, direction: Direction) -> "list[Piece[Array]]":
    """`put_in` of all layers and tokens, between the picture and another one: logits, `token classes`.

    "needed" puts the other picture's states into the run of this one: what its answer loses needs them. "enough" puts
    this picture's states into the run of the other: what its answer gains, they are enough for.
    """
    config, here = selection.config, requests.forward_request(selection)
    there = requests.forward_request(replace(selection.plain, picture=other, crop=None))
    host, donor = (here, there) if direction == "needed" else (there, here)
    _require(selection, config.tokens * (config.depth + 1) // 2, "a causal trace")
    return [
        Piece(layer, first, last, _causal(host, donor, layer, first, last))
        for layer in range(config.depth)
        for first, last in _stretches(selection, config.tokens, layer)
    ]


def scene_accuracy(selection: Selection) -> "list[Piece[Hits]]":
    """`scene_hits` of the edited model on test scenes: how many it answers rightly."""
    from vitviz.edits.running import draw_scenes, scene_hits
    from vitviz.engine import Request

    pieces = []
    for first in range(0, SCENES, SCENES_AT_ONCE):
        model, scenes = requests.load_request(selection.model), Request(draw_scenes, (first, first + SCENES_AT_ONCE))
        arguments = (model, scenes, str(selection.edits), *requests.donor_and_means(selection))
        pieces.append(Piece(0, first, first + SCENES_AT_ONCE, Request(scene_hits, arguments, takes_long=True)))
    return pieces


def chance_answers(
    selection: Selection, dropout: float, drop_path: float, first: int, last: int
) -> "list[Request[ByChance]]":
    """`answers_by_chance` of the seeds `first` to `last - 1`."""
    from vitviz.machine.price import runs_at_once
    from vitviz.measures.laboratory.chance import answers_by_chance

    _require(selection, last - first, f"answering {last - first} times")
    step = min(ANSWERS_AT_ONCE, runs_at_once(selection.config, 0))
    return [
        results.measurement(selection, answers_by_chance, dropout, drop_path, start, min(start + step, last))
        for start in range(first, last, step)
    ]


def painted(pieces: list[Piece[T]], saying: str) -> Iterator[tuple[Piece[T], T]]:
    """Each piece with what it led to, as they come; `saying` tells what is going on while one takes long."""
    for number, piece in enumerate(pieces, start=1):
        yield piece, ask(piece.request, f"{saying}, {number} of {len(pieces)}").value


def growing(requests: "Sequence[Request[T]]", saying: str, least: int = 1) -> Iterator[list[T]]:
    """What has come so far, when it is `least` and the next has to be waited for, at most once in `PACE`; then all.

    What it waits for is said where the script stands now, so that nothing moves what the script draws further on.
    """
    place, found, drawn = st.container(gap=None), list[T](), -inf
    for number, request in enumerate(requests, start=1):
        if len(found) >= least and not engine().cached(request) and time.monotonic() - drawn >= PACE:
            begin_all(request)  # while the script draws
            yield found
            drawn = time.monotonic()
        with place:
            found = [*found, ask(request, f"{saying}, {number} of {len(requests)}").value]
    yield found


def _at_their_means(selection: Selection, layer: int, first: int, last: int) -> "Request[Array]":
    from vitviz.edits.running import heads_piece
    from vitviz.engine import Request

    plain, means = requests.forward_request(selection), requests.means_request(selection.model)
    return Request(heads_piece, (plain, means, layer, first, last), keeps_alive=(plain, means), takes_long=True)


def _causal(host: "Request[Forward]", donor: "Request[Forward]", layer: int, first: int, last: int) -> "Request[Array]":
    from vitviz.edits.running import causal_piece
    from vitviz.engine import Request

    return Request(causal_piece, (host, donor, layer, first, last), keeps_alive=(host, donor), takes_long=True)


def _stretches(selection: Selection, count: int, layer: int) -> list[tuple[int, int]]:
    from vitviz.machine.price import runs_at_once

    step = runs_at_once(selection.config, layer)
    return [(first, min(first + step, count)) for first in range(0, count, step)]


def _require(selection: Selection, runs: int, what: str) -> None:
    """Raise `DeviceError` for a map that one visitor should not start."""
    from vitviz.machine.price import require_map

    require_map(selection.config, runs, what)
