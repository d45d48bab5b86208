"""The controls of one field of a model: a number, a slider with stops, a checkbox or a select box."""

from collections.abc import Callable
from typing import Literal

import streamlit as st

from vitviz.ui.sidebar.own_model import ON_OFF, Field, Value, Values, in_link

SWITCHES = "Switches"
LONGEST_SIZE = 9  # letters: 4096x4096

Moved = Callable[[str], None]  # is told which field was moved
Bind = Literal["query-params"] | None


def number(field: Field, key: str, on_change: Moved, bind: Bind = None) -> int:
    """An input for a whole number, which goes on to the nearest that fits."""
    least, most = int(field.values[0]), int(field.values[-1])
    return st.number_input(
        field.label,
        least,
        most,
        int(field.usual),
        key=key,
        help=f"Always {field.rule}: any other number becomes the nearest that is." if field.rule else None,
        on_change=on_change,
        args=[field.name],
        bind=bind,
    )


def size(field: Field, key: str, on_change: Moved, bind: Bind = None) -> str:
    """An input for a number of pixels, or for rows and columns of them, which go on to the nearest that fit."""
    return st.text_input(
        field.label,
        str(field.usual),
        max_chars=LONGEST_SIZE,
        key=key,
        help=f"Pixels of a side, or rows and columns: 96x128. Always {field.rule}.",
        on_change=on_change,
        args=[field.name],
        bind=bind,
    )


def slider(field: Field, values: Values, key: str, on_change: Moved) -> None:
    """A slider that stops only where a whole number fits the other `values`."""
    st.select_slider(
        field.label,
        field.choices(values),
        format_func=lambda stop: f"{stop:,}",
        key=key,
        on_change=on_change,
        args=[field.name],
    )


def switch(field: Field, values: Values, key: str, on_change: Moved, bind: Bind = None) -> Value:
    """A checkbox, or a select box where there is more than on and off."""
    if field.values == ON_OFF:
        return st.checkbox(field.label, bool(field.usual), key=key, on_change=on_change, args=[field.name], bind=bind)
    choices = field.choices(values)
    return st.selectbox(
        field.label,
        choices,
        choices.index(field.usual),
        format_func=in_link,
        key=key,
        on_change=on_change,
        args=[field.name],
        bind=bind,
    )
