"""A chart that answers the hand: marks say what they are, light their rows, and handles are dragged to their stops."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import streamlit as st

from vitviz import palette
from vitviz.figures.figure import Figure
from vitviz.figures.marks import Area, Line, Rule, Spot, Text
from vitviz.scripts.bundle import bundle
from vitviz.scripts.lean import lean_script, lean_sheet
from vitviz.ui.widgets.live.choice import NOTHING, Takes, hear, told

FRONTEND = Path(__file__).parent / "frontend"

HTML = '<figure>\n<div class="plot"><svg role="img"></svg></div><p role="status"></p><ul></ul></figure>'


def chart(drawn: Figure, alt: str, key: str, *, takes: Takes = NOTHING, keeps: Mapping[str, str] = NOTHING) -> None:
    """Draw a chart; `alt` is what a screen reader says of it.

    What its handles, its plane and its choices are moved to goes into the address under their names, except where
    `takes` is told; `keeps` is what the address should say while nothing moves.
    """
    widget = f"chart {key}"
    data = {**sent(drawn), "alt": alt, "chosen": palette.FRAME, **told(widget, takes, keeps)}
    _component()(key=widget, data=data, on_moved_change=hear(widget, takes))


@cache
def _component() -> Callable[..., Any]:
    """Made when the first chart is drawn, so that no page without one waits for it."""
    css = lean_sheet((FRONTEND / "chart" / "chart.css").read_text(encoding="utf-8"))
    js = lean_script(bundle(FRONTEND / "chart" / "chart.js"))
    return st.components.v2.component("vitviz.chart", html=HTML, css=css, js=js)


def sent(drawn: Figure) -> dict[str, Any]:
    """What the browser draws: all of a figure of one panel but its numbers, which are for files."""
    return _sent(replace(drawn, numbers=()))


@lru_cache(maxsize=256)
def _sent(drawn: Figure) -> dict[str, Any]:
    ((panel,),) = drawn.rows
    kinds = {"areas": Area, "lines": Line, "rules": Rule, "texts": Text, "spots": Spot}
    return {
        "across": asdict(panel.across),
        "down": asdict(panel.down),
        "height": panel.height,
        "left": panel.left,
        **{name: [asdict(it) for it in panel.marks if isinstance(it, kind)] for name, kind in kinds.items()},
        "plane": drawn.plane and asdict(drawn.plane),
        "handles": [asdict(it) for it in drawn.handles],
        "legend": [asdict(it) for it in drawn.legend],
        "says": drawn.says,
        "choice": drawn.choice,
    }
