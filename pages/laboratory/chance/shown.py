"""What stands on *Dropout*."""

import streamlit as st

from vitviz.addresses.ranges import fractions, stops
from vitviz.edits import Edits
from vitviz.measures.laboratory.chance import answers_by_chance, path_rates
from vitviz.ui import page
from vitviz.ui.sidebar.models import published
from vitviz.ui.widgets import predictions
from vitviz.ui.widgets.laboratory.dials import dial, unedited

from . import section
from .page import RUNS


def show() -> None:
    """Draw it."""
    selection = unedited()
    config = selection.config

    leaves_out = "**dropout** zeroes single numbers, **drop path** the whole attention or MLP branch of a block."
    page.sentence(
        f"Raise a rate and watch up to {RUNS} answers to this picture scatter, each with other numbers left "
        f"out: {leaves_out} An answer that rests on few numbers scatters; one that rests on many stays. In training, "
        "every answer is made so."
        if config.classes
        else "This model has no head, so there is no answer that could scatter; choose one with classes. What would be "
        f"left out: {leaves_out}"
    )
    if not config.classes:
        published.offer(published.WITH_CLASSES, "with-answers")
    rate, path, numbers = st.columns(3)
    with rate:
        dropout = dial("Dropout rate", fractions("dropout_rate", config), config.dropout or 0.1, "dropout_rate")
    with path:
        rates = fractions("drop_path_rate", config)
        drop_path = dial("Drop path rate in the last layer", rates, config.drop_path or 0.1, "drop_path_rate")
    with numbers:
        draw = dial("Draw", stops("draw", config), 1, "draw")

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
