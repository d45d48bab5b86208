"""The model is chosen by the picture, where nobody has chosen one.

Only a hand that brings or picks a picture starts it, no link, no lesson and no step back. It changes the model that
everybody begins with, or one that it has chosen itself; whoever chooses a model keeps it as long as the session lasts.
"""

import streamlit as st

from vitviz.ui.links import came_by_url
from vitviz.ui.selection import FIRST_MODEL, Picture
from vitviz.ui.suited.kinds import kind_of

PICKED = "picture_picked"  # in the session: whether a hand has just chosen a picture
HELD = "model_held"  # whether somebody has chosen a model
CHOSEN = "model_suited"  # what the rule chose last
SEEN = "picture_suited"  # the digest of the picture of the last run


def picked() -> None:
    """A hand has chosen a picture, in a callback or as a file came."""
    st.session_state[PICKED] = True


def hold() -> None:
    """Somebody has chosen a model."""
    st.session_state[HELD] = True


def suited(picture: Picture) -> str | None:
    """The model that is to take the place of the one on screen; None where that stays."""
    by_hand = st.session_state.pop(PICKED, False) and st.session_state.get(SEEN) != picture.digest
    st.session_state[SEEN] = picture.digest
    asked, first = st.query_params.get("model"), FIRST_MODEL.name
    if came_by_url():
        if asked == first:  # by its name: a link to it, as the one that leads back from the photograph model
            hold()
        return None
    shown = st.session_state.get("model", asked or first)
    if not by_hand or HELD in st.session_state or shown not in (first, st.session_state.get(CHOSEN)):
        return None
    wanted = kind_of(picture).model
    if wanted == shown:
        return None
    st.session_state[CHOSEN] = wanted
    return wanted
