"""What stands on *Dropout*."""

import streamlit as st

from vitviz.edits import Edits
from vitviz.measures.laboratory.chance import answers_by_chance, path_rates
from vitviz.ui import controls, page
from vitviz.ui.selection import current
from vitviz.ui.sidebar.models import published
from vitviz.ui.widgets import predictions

from . import section
from .page import DRAW, DROP_PATH_RATE, DROPOUT_RATE, RUNS


def show() -> None:
    """Draw it."""
    selection = current().plain
    config = selection.config
    if not config.classes:
        published.offer(published.WITH_CLASSES, "with-answers")
    rate, path, numbers = st.columns(3)
    with rate:
        dropout = controls.draw(DROPOUT_RATE, config)
    with path:
        drop_path = controls.draw(DROP_PATH_RATE, config)
    with numbers:
        draw = controls.draw(DRAW, config)

    if config.classes:
        predictions.warn(selection)
        plain = predictions.final(selection).probabilities
        growing = section.run(selection, dropout, drop_path, draw)
        spread, fallen = (column.empty() for column in st.columns([3, 2]))
        for found in growing:
            with spread.container():
                section.answers(selection, found, plain)
            with fallen.container():
                section.left_out(selection, found, drop_path)
    section.formulas(selection, dropout, drop_path)
    st.caption(
        "Dropout after the positions, on the attention weights, after Wₒ, and twice in the MLP. The seed decides "
        f"what is dropped, here seeds {(draw - 1) * RUNS + 1} to {draw * RUNS}. At inference neither "
        "is on."
    )
    page.source(answers_by_chance, Edits.in_training, "dropped_out", "path", path_rates)
