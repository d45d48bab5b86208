"""What stands on *Lecturer*."""

import streamlit as st

from vitviz.lecture.rooms.votes import is_right, sums
from vitviz.numbers import exact
from vitviz.ui import page
from vitviz.ui.selection import current

from . import section


def show() -> None:
    """Draw it."""
    config = current().config
    section.draw(current())
    section.plan()

    with st.expander("When a guess counts as right"):
        page.formula(
            r"\text{caught} = \sum_{i \,\in\, \text{clicked}} a_i",
            rf"\text{{a patch at random}} \approx \frac{{1}}{{{config.patches}}}",
        )
        st.caption(
            f"Of a question that is answered with a click on one of {exact(config.patches)} patches: each patch that "
            "anybody clicked counts once, with its share of the true map. Right is a patch with at least half of the "
            "largest share, and a number within a twentieth of the log scale."
        )
    page.source(sums, is_right)
