"""Figures on the page, beside Streamlit's own way to draw one."""

import json

import numpy as np
import pytest
from streamlit.elements.lib.streamlit_plotly_theme import BG_COLOR
from streamlit.testing.v1 import AppTest

from vitviz.figures.colours import WEIGHTS
from vitviz.figures.figure import Figure
from vitviz.figures.marks import Colours, Heat
from vitviz.figures.parts import pictured
from vitviz.ui.widgets import figure

PAGE = """
import json
import numpy as np
import plotly.graph_objects as go
import streamlit as st
from vitviz.figures.figure import Figure
from vitviz.figures.marks import Colours, Heat
from vitviz.figures.parts import pictured
from vitviz.figures.plotly import spec
from vitviz.ui.widgets import figure
heat = Heat(np.array([[1, 2], [3, 4]], np.float32), Colours(4))
drawn = Figure(((pictured((heat,), 2, 2, 300),),))
for key in ("a", "b"):
    figure.draw(drawn, "Four numbers.", key)
figure.draw(drawn, "Four numbers.", "c", "untrained parameters")
own = go.Figure(spec(drawn))
own.update_xaxes(tickfont_size=16, title_font_size=16).update_yaxes(tickfont_size=16, title_font_size=16)
st.plotly_chart(own, config=figure.CONFIG, alt="Four numbers.", key="streamlits")
"""


def two_maps() -> Figure:
    """One around 0, one from 0."""
    maps = tuple(Heat(np.eye(2), Colours(1, signed), x=3 * at) for at, signed in enumerate((True, False)))
    return Figure(((pictured(maps, 2, 5, 300),),))


def test_they_reach_the_browser_as_streamlits_do() -> None:
    app = AppTest.from_string(PAGE, default_timeout=60).run()
    assert not app.exception
    a, b, labelled, streamlits = (element.proto for element in app.get("plotly_chart"))
    assert len({it.id for it in (a, b, labelled, streamlits)}) == 4
    assert "untrained parameters" in labelled.spec
    assert "untrained parameters" not in a.spec
    assert json.loads(a.spec) == json.loads(b.spec) == json.loads(streamlits.spec)
    for it in (a, b, streamlits):
        it.id = it.spec = ""
    assert a == b == streamlits


def test_what_is_around_0_has_the_ground_in_its_middle_and_what_begins_there_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent: list[str] = []
    monkeypatch.setattr(figure, "send", lambda message: sent.append(message.delta.new_element.plotly_chart.spec))
    figure.draw(two_maps(), "Two maps.", "key")
    scales = [trace["colorscale"] for trace in json.loads(sent[0])["data"]]
    assert scales[0] == [[0, "#2166ac"], [0.5, BG_COLOR], [1, "#b2182b"]], "as `diverging` of the board's surface.js"
    assert [colour for _, colour in scales[1]] == list(WEIGHTS)


def test_a_figure_is_written_once_for_the_same_numbers_and_anew_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[bytes] = []
    monkeypatch.setattr(figure, "send", lambda message: written.append(message.hash))
    figure._written.cache_clear()
    values = np.arange(4, dtype=np.float32).reshape(2, 2)
    for label in ("", "untrained parameters") * 2:
        drawn = Figure(((pictured((Heat(values.copy(), Colours(4)),), 2, 2, 300),),))
        figure.draw(drawn, "Nothing.", "key", label)
    assert figure._written.cache_info().misses == 2
    values[0, 0] = 7
    figure.draw(Figure(((pictured((Heat(values, Colours(4)),), 2, 2, 300),),)), "Nothing.", "key")
    assert figure._written.cache_info().misses == 3
