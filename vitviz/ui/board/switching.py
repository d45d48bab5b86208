"""The switches beside a scene: what the run with the edits of the address leaves, beside that without them."""

import re
from itertools import chain
from typing import Any, get_args

from vitviz.messages import Made
from vitviz.page import Page
from vitviz.ui import results
from vitviz.ui.board import scene
from vitviz.ui.board.address import Address
from vitviz.ui.board.lens import lens
from vitviz.ui.board.pictures import seen
from vitviz.ui.board.scene import Parcels
from vitviz.ui.forward import delivery
from vitviz.ui.selection import Selection

NUMBERS = re.compile(r"(-\d+)+$")
UNCHANGED = "class-weights"  # whatever the edits are
MADE_THERE = get_args(Made)  # by a browser that runs the model, before the numbers in their names


def facts(selection: Selection, opened: bool) -> dict[str, Any]:
    """Where the browser finds the switches, and once they are open, how it runs the model itself; null where not."""
    found = {"folded": delivery.script("folded")}
    if not opened:
        return found
    return {**found, "forward": delivery.describe(selection.model) if delivery.fits(selection.model) else None}


def parcels(page: Page, selection: Selection, address: Address) -> Parcels:
    """Those of a page, of the run without edits; and of that with edits, with the edits at the end of their names."""
    opened = address.switches["switches"] == "open"
    fits = delivery.fits(selection.model)
    for each, edits in ((selection.plain, ""), (selection, str(selection.edits)))[: 1 + bool(selection.edits)]:
        answer = [("lens", lambda each=each: lens(each))] if opened and selection.config.classes else []
        needs_donor = each.edits.needs_donor or any(each.edits.of("drop_path"))
        there = bool(edits) and opened and fits and address.switches["runs"] == "here" and not needs_donor
        for name, make in chain(answer, scene.parcels(page, each, address)):
            if not (edits and name == UNCHANGED) and not (there and NUMBERS.sub("", name) in MADE_THERE):
                yield f"{name} {edits}".strip(), make
    if opened and delivery.reads(selection.model, address.switches["runs"]):
        yield "forward-patches", lambda: {"own": results.patches(selection)}
    if painting := [word for word in str(selection.edits).split() if _paints(word)]:
        yield f"painted {' '.join(painting)}", lambda: {"picture": seen(selection)}


def _paints(word: str) -> bool:
    """Whether an edit changes pixels."""
    return word[0] == "i" or word.endswith(("=grey", "=blur", "=paste"))
