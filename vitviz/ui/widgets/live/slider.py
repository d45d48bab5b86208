"""A slider that stops at allowed values only and tells Python while it is dragged, ten times a second at most."""

from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

from vitviz.numbers import exact
from vitviz.ui.bundle import bundle
from vitviz.ui.widgets.live.choice import Value, chosen, heard, hear

FRONTEND = Path(__file__).parent / "frontend"

_mount = st.components.v2.component(
    "vitviz.slider",
    html='<div class="slider"><label for="range"><span></span><output></output></label>\n'
    '<div><input type="range" id="range" min="0" step="1"><button type="button" hidden></button></div></div>',
    css=(FRONTEND / "slider.css").read_text(encoding="utf-8"),
    js=bundle(FRONTEND / "slider.js"),
)


def slider(
    label: str,
    stops: Sequence[Value],
    usual: Value,
    key: str,
    *,
    say: Callable[[Value], str] | None = None,
    plays: bool = False,
) -> Value:
    """A slider over `stops`, bound to the address parameter `key`; the value it stands at.

    `say` writes a value; a slider that `plays` has a button that goes through all stops from the first.
    """
    value = chosen(key, stops, usual)
    _draw(label, stops, value, key, say, plays=plays, bound=True)
    return value


def told(label: str, stops: Sequence[Value], value: Value, key: str, take: Callable[[str, str], None]) -> None:
    """A slider that stands at `value` and belongs to nobody's address: `take` is told its key and the new value."""
    _draw(label, stops, value, key, None, take)


def _draw(
    label: str,
    stops: Sequence[Value],
    value: Value,
    key: str,
    say: Callable[[Value], str] | None,
    take: Callable[[str, str], None] | None = None,
    *,
    plays: bool = False,
    bound: bool = False,
) -> None:
    write = say or (lambda it: exact(it) if isinstance(it, int) else str(it))
    widget = f"live {key}"
    _mount(
        key=widget,
        data={
            "name": key,
            "label": label,
            "stops": [{"value": str(it), "says": write(it)} for it in stops],
            "at": list(stops).index(value),
            "bound": bound,
            "plays": plays,
            "heard": heard(widget),
        },
        on_moved_change=hear(widget, take),
    )
