"""A chart that answers the hand: marks say what they are, light their rows, and handles are dragged to their stops."""

from collections.abc import Callable
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

import streamlit as st

from vitviz import palette
from vitviz.charts.chart import Chart
from vitviz.ui.bundle import bundle
from vitviz.ui.widgets.live.choice import heard, hear

FRONTEND = Path(__file__).parent / "frontend"

_mount = st.components.v2.component(
    "vitviz.chart",
    html='<figure>\n<div class="plot"><svg role="img"></svg></div><p role="status"></p><ul></ul></figure>',
    css=(FRONTEND / "chart.css").read_text(encoding="utf-8"),
    js=bundle(FRONTEND / "chart.js"),
)


def chart(drawn: Chart, alt: str, key: str, take: Callable[[str, str], None] | None = None) -> None:
    """Draw a chart; `alt` is what a screen reader says of it.

    What its handles, its plane and its choices are moved to goes into the address, under their names, or is told to
    `take`.
    """
    widget = f"chart {key}"
    _mount(
        key=widget,
        data={
            **_as_data(drawn),
            "alt": alt,
            "chosen": palette.FRAME,
            "bound": take is None,
            "heard": heard(widget),
        },
        on_moved_change=hear(widget, take),
    )


@lru_cache(maxsize=256)
def _as_data(drawn: Chart) -> dict[str, Any]:
    return asdict(drawn)
