"""Kept figures: the same for the same numbers, another for any other, and never labelled behind somebody's back."""

import numpy as np
import plotly.graph_objects as go

from tests.pages.app import visit
from vitviz.figures import frame


def test_a_figure_is_built_once_for_the_same_numbers_and_anew_for_others() -> None:
    built = []

    @frame.remembered
    def dots(values: np.ndarray, title: str = "") -> go.Figure:
        built.append(title)
        return frame.figure(100, title).add_trace(go.Scatter(y=values))

    values = np.arange(3, dtype=np.float32)
    first = dots(values, title="a")
    assert dots(values.copy(), title="a") is first
    values[1] = 7
    changed = dots(values, title="a")
    assert list(changed.data[0].y) == [0, 7, 2]
    assert list(first.data[0].y) == [0, 1, 2]
    assert dots(values, title="b") is not changed
    assert built == ["a", "a", "b"]


def test_the_label_of_an_untrained_model_does_not_stay_on_the_figure() -> None:
    for _ in range(2):
        app = visit("patch_grid", model="vit_tiny_patch16_224")
        charts = [chart.proto.spec for chart in app.get("plotly_chart")]
        assert all(chart.count("untrained parameters") == 1 for chart in charts if "untrained" in chart)
    assert not any("untrained" in chart.proto.spec for chart in visit("patch_grid", model="demo").get("plotly_chart"))
