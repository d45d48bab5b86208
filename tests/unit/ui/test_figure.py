"""Figures on the page, beside Streamlit's own way to draw one."""

import json

import numpy as np
import plotly.graph_objects as go
import pytest
from streamlit.elements.lib.streamlit_plotly_theme import BG_COLOR
from streamlit.testing.v1 import AppTest

from vitviz.figures import frame
from vitviz.ui.widgets import figure

PAGE = """
import plotly.graph_objects as go
import streamlit as st
from vitviz.ui.widgets import figure
drawn = go.Figure(go.Heatmap(z=[[1, 2], [3, 4]]), layout={"height": 300, "margin": {"t": 20}})
for key in ("a", "b"):
    figure.draw(drawn, "Four numbers.", key)
figure.draw(drawn, "Four numbers.", "c", "untrained parameters")
drawn.update_xaxes(tickfont_size=16, title_font_size=16).update_yaxes(tickfont_size=16, title_font_size=16)
st.plotly_chart(drawn, config=figure.CONFIG, alt="Four numbers.", key="streamlits")
"""


def test_they_reach_the_browser_as_streamlits_do() -> None:
    app = AppTest.from_string(PAGE, default_timeout=20).run()
    assert not app.exception
    a, b, labelled, streamlits = (element.proto for element in app.get("plotly_chart"))
    assert len({it.id for it in (a, b, labelled, streamlits)}) == 4
    assert "untrained parameters" in labelled.spec
    assert "untrained parameters" not in a.spec
    for it in (a, b, streamlits):
        it.id = ""
    assert a == b == streamlits


def test_what_is_around_0_has_the_ground_in_its_middle_and_what_begins_there_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn = frame.figure(300)
    signed, weights = (frame.heat(np.eye(2), hover="", signed=it, name=str(it)) for it in (True, False))
    drawn.add_traces([signed, weights])
    before = drawn.to_json()
    sent: list[str] = []
    monkeypatch.setattr(figure, "send", lambda message: sent.append(message.delta.new_element.plotly_chart.spec))
    figure.draw(drawn, "Two maps.", "key")
    scales = [trace["colorscale"] for trace in json.loads(sent[0])["data"]]
    assert scales[0] == [[0, "#2166ac"], [0.5, BG_COLOR], [1, "#b2182b"]], "as `diverging` of the board's surface.js"
    assert scales[1] == json.loads(before)["data"][1]["colorscale"]
    assert drawn.to_json() == before, "on paper it stays white"


def test_a_figure_is_written_once_and_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = go.Figure(layout={"height": 300, "margin": {"t": 20}})
    before = drawn.to_json()
    sent: list[str] = []
    monkeypatch.setattr(figure, "send", lambda message: sent.append(message.delta.new_element.plotly_chart.spec))
    for label in ("", "untrained parameters") * 2:
        figure.draw(drawn, "Nothing.", "key", label)
    assert sent[:2] == sent[2:]
    assert len(set(sent)) == 2
    assert drawn.to_json() == before
    assert len(vars(drawn)["_written"]) == 2
