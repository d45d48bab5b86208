"""A slider that stops at allowed values only and tells Python while it is dragged, ten times a second at most."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from vitviz.messages import SliderData
from vitviz.numbers import exact
from vitviz.scripts.bundle import script_of, sheet_of
from vitviz.ui.widgets.live.choice import Takes, Value, chosen, hear, to_browser, words_of

_mount = st.components.v2.component(
    "vitviz.slider",
    html='<div class="slider"><label for="range"><span></span><output></output></label>\n'
    '<div><input type="range" id="range" min="0" step="1"><button type="button" hidden></button></div></div>',
    css=sheet_of("doors/live/slider.css"),
    js=script_of("doors/live/slider.js"),
)


def slider(
    label: str,
    stops: Sequence[Value],
    usual: Value,
    key: str,
    *,
    plays: bool = False,
) -> Value:
    """A slider over `stops`, bound to the address parameter `key`; the value it stands at.

    One that `plays` has a button that goes through all stops from the first.
    """
    value = chosen(key, stops, usual)
    _draw(label, stops, value, key, {}, words_of(key, value, usual), plays=plays)
    return value


def slider_of(label: str, stops: Sequence[Value], value: Value, key: str, take: Callable[[str], None]) -> None:
    """A slider that stands at a `value` held elsewhere; `take` is told where it is moved to."""
    _draw(label, stops, value, key, {key: take}, {})


def _draw(
    label: str,
    stops: Sequence[Value],
    value: Value,
    key: str,
    takes: Takes,
    keeps: Mapping[str, str],
    *,
    plays: bool = False,
) -> None:
    widget = f"slider {key}"
    data: SliderData = {
        "name": key,
        "label": label,
        "stops": [{"value": str(it), "says": _label(it)} for it in stops],
        "at": list(stops).index(value),
        "plays": plays,
        **to_browser(widget, takes, keeps),
    }
    _mount(key=widget, data=[data], on_moved_change=hear(widget, takes))


def _label(value: float | str) -> str:
    return exact(value) if isinstance(value, int) else str(value)
