"""What is shown before the whole forward pass of a picture is there, where a visitor would wait for that."""

from typing import TYPE_CHECKING

import streamlit as st

from vitviz.page import Page
from vitviz.results import requests
from vitviz.selection import Selection
from vitviz.ui import fallback
from vitviz.ui.board import address, component
from vitviz.ui.board.second import Second
from vitviz.ui.page import drawer
from vitviz.ui.server.client import engine

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

DRAWN = "drawn_early"  # in the session: page and selection of the last time, so that none is begun for ever


def embedded(entry: Page, selection: Selection, second: Second | None) -> bool:
    """Whether the page shows only what stands before the first block, and has to wait for no forward pass."""
    if not entry.on_board or second or selection.edits or drawer():
        return False
    moment = address.read(selection.config, entry.stem).moment
    return any(it.name == moment and it.is_embedded(selection.config) for it in entry.moments(selection.config))


def draw(
    entry: Page, selection: Selection, second: Second | None, stage: "DeltaGenerator", waiting: "DeltaGenerator"
) -> bool:
    """Draw on `stage` what there is while the forward pass runs; whether it was: the board is drawn once in a run.

    On the first visit that is what a model's sizes tell, later the picture as the model sees it. What has to be waited
    for even then is said at `waiting`.
    """
    if not entry.forward:
        return False
    if fallback.nothing_shown_yet(selection):
        with stage:
            component.draw_ahead(entry, selection, second)
        return True
    this = f"{entry.stem} {selection.key}"
    if st.session_state.get(DRAWN) == this or not _waits(entry, selection, second):
        return False
    st.session_state[DRAWN] = this
    with waiting:
        seen = fallback.seen(selection)
    if seen:
        with stage:
            component.draw_seen(entry, selection)
    return seen


def _waits(entry: Page, selection: Selection, second: Second | None) -> bool:
    """Whether the board has a picture to show while the visitor waits for what blocks make of it."""
    if not entry.on_board or second or not requests.waits(selection) or embedded(entry, selection, second):
        return False
    return not engine().cached(requests.info_request(selection))
