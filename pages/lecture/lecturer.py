"""Lecturer: the window of who gives a lecture: this step and the next, notes, guesses as they come in."""

import streamlit as st

from vitviz.lecture.rooms.votes import is_right, sums
from vitviz.numbers import exact
from vitviz.ui import page
from vitviz.ui.sections.lecture import lecturer as section
from vitviz.ui.selection import current

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
