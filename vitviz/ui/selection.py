"""What a visitor has chosen, kept for the pages of one run."""

import streamlit as st

from vitviz.selection import Selection


def show(selection: Selection) -> None:
    """Make `selection` the one that pages ask for."""
    st.session_state["selection"] = selection


def current() -> Selection:
    """The selection of this visitor."""
    selection: Selection = st.session_state["selection"]
    return selection
