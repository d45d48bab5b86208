"""What stands on *Gradients*."""

import streamlit as st

from vitviz.measures.laboratory.gradients import backward, changed, gradients
from vitviz.ui import controls, page
from vitviz.ui.selection import current
from vitviz.ui.sidebar.models import published

from . import section
from .page import INITIAL, OF


def show() -> None:
    """Draw it."""
    selection = current().plain
    config = selection.config

    if config.classes:
        chosen, kind, begun = st.columns([4, 6, 4])
        with chosen:
            label = section.loss_class(selection)
        with kind:
            of = controls.draw(OF, config)
        with begun:
            initial = controls.draw(INITIAL, config)
        shown = st.empty()
        for found in section.run(selection, label, initial):
            with shown.container():
                section.pictures(selection, found, of)
        section.numbers(selection, found, of)
        section.formulas(found, label, config)
    else:
        published.offer(published.WITH_CLASSES, "with-gradients")
        page.formula(r"\mathcal L = -\ln p_y")
    if config.classes == 1:
        page.sentence("With one class softmax says 1 whatever the logit: the loss is 0, and so is every gradient.")
    st.caption(
        "Cross-entropy of one picture, before any step of an optimiser; nothing is learned here, and the model that "
        "everybody shares stays as it is."
    )
    page.source(gradients, backward, changed)
