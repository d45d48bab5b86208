"""A chart that answers the hand: marks say what they are, light their rows, and handles are dragged to their stops."""

from collections.abc import Mapping

import streamlit as st
from streamlit.errors import StreamlitDuplicateElementKey

from vitviz import palette
from vitviz.figures.figure import Figure
from vitviz.figures.live import message
from vitviz.messages import ChartData
from vitviz.scripts.bundle import script_of, sheet_of
from vitviz.ui.widgets.live.choice import NOTHING, Takes, hear, to_browser

HTML = '<figure>\n<b></b><div class="plot"></div><p role="status"></p><ul></ul></figure>'


_mount = st.components.v2.component(
    "vitviz.chart", html=HTML, css=sheet_of("doors/live/chart.css"), js=script_of("doors/live/chart.js")
)


def chart(
    drawn: Figure, alt: str, key: str, *, label: str = "", takes: Takes = NOTHING, keeps: Mapping[str, str] = NOTHING
) -> None:
    """Draw a chart; `alt` is what a screen reader says of it, `label` is framed at its top right.

    What its handles, its plane and its choices are moved to goes into the address under their names, except where
    `takes` is told; `keeps` is what the address should say while nothing moves.
    """
    widget = f"chart {key}"
    data: ChartData = {
        "figure": message(drawn),
        "alt": alt,
        "label": label,
        "chosen": palette.FRAME,
        **to_browser(widget, takes, keeps),
    }
    while True:
        try:
            _mount(key=widget, data=[data], on_moved_change=hear(widget, takes))
        except StreamlitDuplicateElementKey:  # what grows while numbers come is drawn several times in a run
            widget += "+"
        else:
            return
