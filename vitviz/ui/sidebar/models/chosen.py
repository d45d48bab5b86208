"""Which model is chosen, by a hand or by a link, until the browser and its URL have heard of it."""

import streamlit as st

from vitviz.selection import FIRST_MODEL
from vitviz.ui import suited
from vitviz.ui.links import came_by_url
from vitviz.ui.sidebar.models import picture_size


def put_on_screen(name: str) -> None:
    """Choose a model by hand, in a callback."""
    suited.hold()
    suit(name)


def suit(name: str) -> None:
    """Change the model: what the browser goes on saying of those before counts no more."""
    before = st.session_state.get("models_before", frozenset())
    st.session_state["models_before"] = before | {st.session_state.get("model", FIRST_MODEL.name)}
    if name != st.session_state.get("model", FIRST_MODEL.name):
        picture_size.begin_anew()
    st.session_state["model"] = st.session_state["model_chosen"] = name


def keep_chosen(usual: str) -> None:
    """Keep the model that was chosen until the browser has heard of it, in its URL and in the control of the link.

    What it says of both before, with a click on a picture as soon as that, is older than the choice; a model that was
    not there before is newer.
    """
    if (chosen := st.session_state.get("model_chosen")) is None:
        return
    names = {st.session_state["model"], st.query_params.get("model", usual)}
    newer = names - {chosen, *st.session_state["models_before"]}
    if names == {chosen} or newer or came_by_url() or "adopted" in st.session_state:
        del st.session_state["model_chosen"], st.session_state["models_before"]
    else:
        st.session_state["model"] = chosen
