"""What a live widget was moved to: the address of the page says it, and this session remembers it.

The browser writes the address, as it does for Streamlit's own bound widgets; Python only reads it. Streamlit's page
may go on sending the address that it knew before: what was moved holds until Python sees another one.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import streamlit as st

from vitviz.messages import WidgetData
from vitviz.ui.private import RerunException

Value = TypeVar("Value", int, float, str)
Takes = Mapping[str, Callable[[str], None]]  # by the name of what is moved: what is told its new value
NOTHING: Mapping[str, Any] = {}


def chosen(name: str, legal: Sequence[Value], usual: Value) -> Value:
    """The one of `legal` that the address asks for under `name`; else the last choice; else the `usual`."""
    by_text = {str(value): value for value in legal}
    return by_text.get(asked_for(name, by_text.__contains__), usual)


def asked_for(name: str, legal: Callable[[str], bool]) -> str:
    """The text that the address has under `name`; else the last choice; nothing where neither is `legal`."""
    text = latest(name)
    st.session_state[name] = text if legal(text) else st.session_state.get(name, "")
    return st.session_state[name] if legal(st.session_state[name]) else ""


def latest(name: str) -> str:
    """What was moved under `name` since the address of this run; else what that says, and nothing is kept of the move.

    To be asked once in a run, before the script writes the address.
    """
    text: str = st.query_params.get(name, "")
    moved, seen = st.session_state.get(f"{name} moved", ("", None))
    if text == seen:
        return str(moved)
    st.session_state.pop(f"{name} moved", None)
    return text


def move(name: str, value: str) -> None:
    """Keep what was chosen by hand under `name`, until the address says another word than now."""
    st.session_state[f"{name} moved"] = value, st.query_params.get(name, "")


def words_of(name: str, value: Value, usual: Value) -> dict[str, str]:
    """What the address should say of a choice: nothing of the usual one, unless it says something already."""
    return {name: str(value)} if value != usual or name in st.query_params else {}


def hear(key: str, takes: Takes) -> Callable[[], None]:
    """What Streamlit calls when the widget `key` was moved.

    How many messages were heard goes back with the next data, so that a hand that has moved on is not pulled back.
    """

    def moved() -> None:
        try:
            take_it()
        except RerunException:  # the next run was asked for in the middle of this; that must not lose the move
            take_it()
            raise

    def take_it() -> None:
        message: dict[str, Any] = st.session_state[key]["moved"]
        st.session_state[f"{key} heard"] = message["count"]
        name, value = str(message["name"]), str(message["value"])
        if take := takes.get(name):
            take(value)
        else:
            move(name, value)

    return moved


def to_browser(key: str, takes: Takes, keeps: Mapping[str, str]) -> WidgetData:
    """What every live widget is told: which moves are not for the address, and what the address should say of it."""
    return {"untold": list(takes), "keeps": dict(keeps), "heard": int(st.session_state.get(f"{key} heard", 0))}
