"""Notices: why something else is shown than what was asked for. Each can be closed, and comes back when it is new."""

from typing import Any

import streamlit as st

from vitviz.images import digest

CLOSED, NAMES = "notices closed", "notices said"  # in the session: names of notices, those said in this run


def begin() -> None:
    """What was closed stays closed as long as every run says it; to be called in a run before anything is said."""
    names: set[str] = st.session_state.get(NAMES, set())
    st.session_state[CLOSED] = st.session_state.get(CLOSED, set()) & names
    st.session_state[NAMES] = set()


def warn(text: str, occasion: str = "", **look: Any) -> None:
    """Say `text`, once more for every `occasion`, with a button that closes it."""
    _say(st.warning, text, occasion, look)


def error(text: str, occasion: str = "") -> None:
    """The same of what went wrong."""
    _say(st.error, text, occasion, {})


def _say(alert: Any, text: str, occasion: str, look: dict[str, Any]) -> None:
    name = digest(f"{text} {occasion}".encode())[:16]
    if name in st.session_state[NAMES]:
        return
    st.session_state[NAMES].add(name)
    closed: set[str] = st.session_state[CLOSED]
    if name in closed:
        return
    with st.container(horizontal=True, vertical_alignment="center", key=f"notice-{name}"):
        alert(text, **look)
        st.button("Close", key=f"close-{name}", on_click=closed.add, args=[name], type="tertiary", width="content")
