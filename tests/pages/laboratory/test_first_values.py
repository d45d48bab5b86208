"""Initialisation: what stands on the page is what untrained models make of the picture."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from tests.pages.app import array, captions, figures, healthy, html, move, shown, trace, visit
from tests.pages.laboratory.test_gradients import curves
from tests.pages.test_every_page import HEADLESS, POOLED
from tests.unit.figures.read import panels
from vitviz.figures import plotly
from vitviz.figures.figure import Figure
from vitviz.figures.laboratory import first_values as figures_of
from vitviz.measures.arrays import Array
from vitviz.measures.laboratory.first_values import start
from vitviz.numbers import small
from vitviz.ui import pieces


def test_each_start_is_told_with_its_entropy_and_its_gradient() -> None:
    app = healthy(visit("first_values", sample="left"))
    here, said = trace(shown(app)), captions(app)
    label = int(here["logits"].tensor[0].argmax())
    for name in ("trunc_normal", "zeros", "normal"):
        found = start(here, name, 0, label)
        assert f" {small(float(found.entropy.min()))} to {small(float(found.entropy.max()))}" in said
    assert "16 of 1,235,344" in html(app)
    usual, zeros, _ = curves(figures(app)[1]).values()
    np.testing.assert_allclose(usual, start(here, "trunc_normal", 0, label).lengths, rtol=1e-4)
    assert len(zeros) == 0
    bars = [array(it["y"]) for it in figures(app)[-1]["data"] if it["type"] == "bar"]
    assert len(bars) == 4 * 4
    np.testing.assert_allclose(bars[-4:], start(here, "alike", 0, label).gradients, rtol=1e-3)


def test_maps_are_drawn_as_they_come_with_room_for_those_to_come(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, draw = [], figures_of.first_maps

    def watched(starts: Mapping[str, Array], *args: Any, **named: Any) -> Figure:
        fig = draw(starts, *args, **named)
        height = plotly.spec(fig)["layout"]["height"]
        drawn.append((list(starts), height, panels(fig)[-1].title.partition(":")[2]))
        return fig

    monkeypatch.setattr(figures_of, "first_maps", watched)
    monkeypatch.setattr(pieces, "PACE", 0)
    healthy(visit("first_values", sample="left", drawn_seed="2"))
    names = ["trunc normal 0.02", "zeros", "normal 1"]
    assert [it for it, _, _ in drawn] == [names[:1], names[:2], names, names]
    assert len({height for _, height, _ in drawn}) == 1
    assert [last for _, _, last in drawn[:2]] == [" …", " …"]
    healthy(visit("first_values", sample="left", drawn_seed="2"))
    assert len(drawn) == 5
    healthy(visit("first_values", sample="left", drawn_seed="4", map_scale="shared"))
    assert [it for it, _, _ in drawn[5:]] == [names[:1], names[:2], names, names]
    assert len({height for _, height, _ in drawn[5:]}) == 1


def test_another_seed_draws_other_models_and_each_scale_ends_at_their_brightest_weight_until_one_is_shared() -> None:
    app = healthy(visit("first_values", sample="left"))
    first = captions(app)
    app = healthy(move(app, "Seed of the drawn models", "3"))
    assert captions(app) != first
    assert figures(app)[0]["data"][0]["zmax"] < 0.05
    assert "unequal scales" in captions(app)
    app.segmented_control(key="map_scale").set_value("shared").run()
    assert figures(app)[0]["data"][0]["zmax"] > 0.5
    assert "unequal scales: each model" not in captions(app)


def test_without_a_class_token_untrained_and_without_a_head() -> None:
    assert "the tokens on average look" in captions(healthy(visit("first_values", **POOLED)))
    app = healthy(visit("first_values", **HEADLESS))
    assert any("no gradient" in it.value for it in app.markdown)


@pytest.mark.usefixtures("impatient")
def test_of_a_large_model_the_usual_start_comes_first_and_the_rest_when_asked_for() -> None:
    app = healthy(visit("first_values"))
    assert any("untrained models" in it.label for it in app.toggle)
    assert len(figures(app)[0]["data"]) == 4
    app.toggle(key="every first_values").set_value(True).run()
    assert len(figures(healthy(app))[0]["data"]) == 12


def test_a_seed_that_is_none_is_told() -> None:
    app = healthy(visit("first_values", drawn_seed="77"))
    assert any("drawn seed “77”" in it.value for it in app.toast)
