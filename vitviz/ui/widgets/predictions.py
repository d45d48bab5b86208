"""The answer of a model: its most probable classes as bars, and in words how far to trust them."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from vitviz import numbers
from vitviz.board.meta import caveat
from vitviz.measures.arrays import Array
from vitviz.measures.classes import Readout, answer, best
from vitviz.results import measure
from vitviz.selection import Selection

MOST = 5


def final(selection: Selection) -> Readout:
    """The model's own answer: what its head reads after the last block."""
    return measure(selection, answer, selection.config.depth)


def warn(selection: Selection) -> None:
    """The caveat as a framed line of the page; nothing where there is none."""
    if text := caveat(selection):
        st.html(f'<p><span style="border:2px solid; padding:0 .4em">{text}</span></p>')


def bars(labels: Sequence[str], probabilities: Array) -> None:
    """The most probable classes, each with a bar as long as its probability."""
    lines = "".join(
        f"<li><span>{escape(labels[index])}</span>"
        f'<span class="bar"><i style="width:{100 * probabilities[index]:.2f}%"></i></span>'
        f"<b>{numbers.small(float(probabilities[index]))}</b></li>"
        for index in best(probabilities, MOST)
    )
    st.html(f'<ol class="answer">{lines}</ol>')
