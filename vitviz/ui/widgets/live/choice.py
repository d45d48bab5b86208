"""What a live widget was moved to: the address of the page says it, and this session remembers it.

The browser writes the address, as it does for Streamlit's own bound widgets; Python only reads it.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import streamlit as st

Value = TypeVar("Value", int, float, str)


def chosen(name: str, legal: Sequence[Value], usual: Value) -> Value:
    """The one of `legal` that the address asks for under `name`; else the last choice; else the `usual`."""
    by_text = {str(value): value for value in legal}
    kept: str = st.session_state.get(name, "")
    text = next((it for it in (st.query_params.get(name, ""), kept) if it in by_text), str(usual))
    if text in by_text:
        st.session_state[name] = text
    return by_text.get(text, usual)


def hear(key: str, take: Callable[[str, str], None] | None = None) -> Callable[[], None]:
    """What Streamlit calls when the widget `key` was moved: `take` is told what was moved, and to which value.

    How many messages were heard goes back with the next data, so that a hand that has moved on is not pulled back.
    """

    def moved() -> None:
        said: dict[str, Any] = st.session_state[key]["moved"]
        st.session_state[f"{key} heard"] = said["count"]
        if take:
            take(str(said["name"]), str(said["value"]))

    return moved


def heard(key: str) -> int:
    """How many messages of the widget `key` have been answered."""
    return int(st.session_state.get(f"{key} heard", 0))
