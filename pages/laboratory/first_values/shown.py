"""What stands on *Initialisation*."""

import streamlit as st

from vitviz.measures.laboratory.first_values import first_values, start
from vitviz.ui import controls, page
from vitviz.ui.selection import current

from . import section
from .page import SCALE, SEED


def show() -> None:
    """Draw it."""
    selection = current().plain
    config = selection.config

    drawn, scaled = st.columns(2)
    with drawn:
        seed = controls.draw(SEED, config)
    with scaled:
        shared = controls.draw(SCALE, config)
    names = section.wanted(selection)
    maps = st.empty()
    starts: section.Starts = {}
    for starts in section.run(selection, names, seed):
        with maps.container():
            section.first_maps(selection, starts, names, shared)
    section.depth_and_answer(selection, starts)
    st.subheader("Why not zeros", anchor=False)
    section.gradients(selection, starts)
    page.formula(*section.first_scores(config))
    page.source(start, first_values, "initialise")
