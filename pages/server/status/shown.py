"""What stands on *Server status*."""

import streamlit as st

from vitviz.engine import Engine
from vitviz.numbers import exact
from vitviz.ui import page
from vitviz.ui.server.client import engine

from . import section

RENEWED = 2.0  # seconds


@st.fragment(run_every=RENEWED)
def figures() -> None:
    """The engine's figures at this moment."""
    now = engine().status()
    section.draw(now, engine().device(), engine().trouble())
    hits, forwards = now.answered, now.computed.get("run_forward", 0)
    page.formula(
        r"\text{from the cache} = \frac{\text{pages that found their forward pass}}"
        r"{\text{those} + \text{forward passes computed}}",
        rf"{hits / (hits + forwards):.1%}".replace("%", r"\,\%")
        + rf" = \frac{{{exact(hits)}}}{{{exact(hits)} + {exact(forwards)}}}"
        if hits + forwards
        else r"\text{no page has asked for one yet}",
    )
    section.models()


def show() -> None:
    """Draw it."""
    figures()
    page.source(Engine.submit)
