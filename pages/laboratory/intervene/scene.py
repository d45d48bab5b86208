"""Intervene: parts of the running model are switched off, scaled or replaced, and the picture is painted over."""

from dataclasses import replace
from typing import Any

import numpy as np

from vitviz import results
from vitviz.board.address import Address
from vitviz.board.lens import read_out
from vitviz.board.pictures import aligned_balls, knows_scenes, of_aligned_balls, png, second_run
from vitviz.board.scene import Parcels
from vitviz.board.switching import fits, reads
from vitviz.config import ViTConfig
from vitviz.demo.samples import second_sample
from vitviz.samples import samples
from vitviz.scripts.parcels import Arrays
from vitviz.selection import Selection

from . import sent


def facts(selection: Selection) -> dict[str, Any]:
    """The second picture by name, what is known of the picture, and how the model scores."""
    pair = samples().exchanged(selection.picture.id)
    return {
        "second": second_sample(selection.picture.id),
        "samples": ({pair.id: pair.title} if pair else {}) | samples().titles,
        "scenes": knows_scenes(selection),
        "balls": aligned_balls(selection),
        "aligned": of_aligned_balls(selection),
        "own": own(selection.config),
    }


def alone(selection: Selection) -> dict[str, Any]:
    """The facts that are others where no server is: test scenes are drawn and answered by the app alone."""
    return {"scenes": False}


def own(config: ViTConfig) -> dict[str, Any]:
    """How the model scores before anybody turns a dial, as `Own` in the front end has it."""
    limited = {kind: getattr(config, kind) if config.attention == kind else None for kind in ("top_k", "window")}
    return {"score_scale": config.score_scale, "positions": config.positions, **limited}


def parcels(selection: Selection, address: Address) -> Parcels:
    config, other = selection.config, second_run(selection)
    edited = replace(selection, edits=address.edits, donor=other.picture)
    runs = address.switches["runs"]
    sent_read = reads(selection.model, runs)
    if sent_read:
        yield "forward-patches", lambda: {"own": results.patches(selection)}
    name, make = read_out(config)
    yield name, lambda: make(selection)
    yield from sent.edited_run(selection, address)
    yield f"second {edited.donor_link}", lambda: _picture(other, sent_read)
    if not fits(selection.model) or runs != "here":
        yield from sent.edited_run(edited, address)
        yield from sent.maps(selection, address, other)
    if address.switches["measured"] == "yes" and knows_scenes(selection):
        yield from sent.accuracy(edited)


def _picture(selection: Selection, runs: bool) -> Arrays:
    """What the model sees as a PNG, what it answers, and where a browser runs the model, the picture as it reads it."""
    logits = results.forward_info(selection).logits.astype(np.float32)
    picture: dict[str, Any] = {"picture": png(results.screen_photo(selection)), "logits": logits}
    return picture | ({"patches": results.patches(selection)} if runs else {})
