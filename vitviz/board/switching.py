"""The switches beside a scene: what the run with the edits of the address leaves, beside that without them."""

import re
from itertools import chain
from typing import get_args

from vitviz import results
from vitviz.board import scene
from vitviz.board.address import Address
from vitviz.board.lens import lens
from vitviz.board.pictures import seen
from vitviz.board.scene import Parcels
from vitviz.messages import Made
from vitviz.page import Page
from vitviz.scripts import fitting
from vitviz.selection import ModelChoice, Selection

NUMBERS = re.compile(r"(-\d+)+$")
UNCHANGED = "class-weights"  # whatever the edits are
MADE_THERE = get_args(Made)  # by a browser that runs the model, before the numbers in their names


def fits(model: ModelChoice) -> bool:
    """Whether a browser can run this model: plain, small, and in full precision."""
    return model.precision == "fp32" and fitting.fits(model.config)


def reads(model: ModelChoice, runs: str) -> bool:
    """Whether a browser is sent pictures as the model reads them; a larger model has been asked for where it `runs`."""
    return fits(model) and (fitting.small(model.config) or runs != "server")


def parcels(page: Page, selection: Selection, address: Address) -> Parcels:
    """Those of a page, of the run without edits; and of that with edits, with the edits at the end of their names."""
    opened = address.switches["switches"] == "open"
    here = fits(selection.model)
    for each, edits in ((selection.plain, ""), (selection, str(selection.edits)))[: 1 + bool(selection.edits)]:
        answer = [("lens", lambda each=each: lens(each))] if opened and selection.config.classes else []
        by_server = each.edits.do("second") or each.edits.do("waits")
        there = bool(edits) and opened and here and address.switches["runs"] == "here" and not by_server
        for name, make in chain(answer, scene.parcels(page, each, address)):
            if not (edits and name == UNCHANGED) and not (there and NUMBERS.sub("", name) in MADE_THERE):
                yield f"{name} {edits}".strip(), make
    if opened and reads(selection.model, address.switches["runs"]):
        yield "forward-patches", lambda: {"own": results.patches(selection)}
    if painting := [str(edit) for edit in selection.edits.each if edit.does("paints")]:
        yield f"painted {' '.join(painting)}", lambda: {"picture": seen(selection)}
