"""The model as it is, and dials to turn."""

from collections.abc import Sequence

import streamlit as st

from vitviz.numbers import many
from vitviz.ui.links import check_choice
from vitviz.ui.selection import Selection, current
from vitviz.ui.widgets.live.choice import Value
from vitviz.ui.widgets.live.slider import slider


def unedited() -> Selection:
    """The selection of this visitor without edits, and a word where there are some."""
    selection = current()
    if selection.edits:
        st.caption(f"{many(len(selection.edits.each), 'edit')} left aside: this page shows the model as it is.")
    return selection.plain


def choice(label: str, options: Sequence[str], key: str) -> str:
    """One of a few words, the first as a rule, bound to the address; a word where the link asks for another."""
    check_choice(key, options, f"{label.lower()} {', '.join(options)}")
    return st.segmented_control(label, options, default=options[0], required=True, key=key, bind="query-params")


def dial(label: str, stops: Sequence[Value], usual: Value, key: str) -> Value:
    """A live slider, and a word where the link asks for a value that it does not have."""
    check_choice(key, list(map(str, stops)), f"{label.lower()} {', '.join(map(str, stops))}", str(usual))
    return slider(label, stops, usual, key)
