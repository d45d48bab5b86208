"""Numbers of a page by their names: what its scene is made of, and what the switches beside it leave."""

import json
from dataclasses import replace

import numpy as np

from vitviz import results
from vitviz.board import scene, switching
from vitviz.board.address import Address
from vitviz.board.pictures import seen
from vitviz.board.scene import Parcels
from vitviz.page import Page
from vitviz.scripts.parcels import Arrays
from vitviz.selection import Selection


def parcels(page: Page, selection: Selection, address: Address) -> Parcels:
    """The name of every block of numbers that a page needs for an address, and what makes its arrays."""
    yield "opening", lambda: _opening(selection)
    if page.switched and not selection.edits:
        edits = address.edits if selection.donor else address.edits.without_donor()
        yield from switching.parcels(page, replace(selection, edits=edits), address)
    elif page.forward:
        yield from scene.parcels(page, selection, address)


def names(page: Page, selection: Selection, address: Address) -> list[str]:
    """The names of all of them."""
    return list(dict(parcels(page, selection, address)))


def numbers_of(name: str, page: Page, selection: Selection, address: Address) -> Arrays | None:
    """Those of one name; None where the page needs none of that name there."""
    make = dict(parcels(page, selection, address)).get(name)
    return make() if make else None


def _opening(selection: Selection) -> Arrays:
    """What the model sees, and the names of its classes, where it has names."""
    labels = results.labels(selection)
    written = json.dumps(labels if isinstance(labels, tuple) else []).encode()
    return {"picture": seen(selection), "labels": np.frombuffer(written, np.uint8)}
