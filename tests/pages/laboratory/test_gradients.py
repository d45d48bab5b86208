"""Gradients: the page's curves and table are the measure's, and the model on screen says which of them are learned."""

from typing import Any

import numpy as np
import pytest
from vitviz.pages.laboratory.gradients import shown as section

from tests.pages.app import array, captions, figures, healthy, html, shown, trace, visit
from tests.pages.test_every_page import HEADLESS, ODD, POOLED
from vitviz.measures.laboratory import gradients as measures
from vitviz.measures.laboratory.gradients import RESIDUAL, USUAL, gradients
from vitviz.numbers import small
from vitviz.selection import Selection
from vitviz.ui import pieces


def named(figure: dict[str, Any]) -> list[str]:
    """The lines of a legend."""
    return [it["name"] for it in figure["data"] if "name" in it]


def dots(figure: dict[str, Any]) -> list[dict[str, Any]]:
    """The points of each curve, as Plotly draws them."""
    return [it for it in figure["data"] if it.get("mode") == "markers" and "name" not in it]


def curves(figure: dict[str, Any]) -> dict[str, np.ndarray]:
    """The height of each point that is drawn, by the curve's name in the legend."""
    return {name: array(it["y"]) for name, it in zip(named(figure), dots(figure), strict=True)}


def test_the_curves_of_a_trained_model_are_its_own_and_those_of_an_untrained_one() -> None:
    app = healthy(visit("gradients", sample="left"))
    here = trace(shown(app))
    label = int(here["logits"].tensor[0].argmax())
    own, untrained = (curves(figures(app)[place]) for place in (0, 1))
    assert list(own) == ["as it is", "not ÷ √dₕ"]
    assert list(untrained) == ["as it is", "no residual connections", "post-norm", "not ÷ √dₕ"]
    np.testing.assert_allclose(own["as it is"], gradients(here, label, USUAL).stages, rtol=1e-4)
    drawn = gradients(here, label, RESIDUAL, measures.untrained(here.model, "trunc_normal", 0))
    np.testing.assert_allclose(untrained["no residual connections"], drawn.stages, rtol=1e-4)
    ranges = [it["layout"]["yaxis"]["range"] for it in figures(app)]
    assert ranges[0] == ranges[1]
    assert f">{small(float(drawn.stages[1]))}<" in html(app)
    assert "would mean nothing" in captions(app)


def test_curves_are_drawn_as_they_come_from_the_first_of_each_panel_on(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, draw = [], section.pictures

    def watched(selection: Selection, found: section.Found, of: str) -> None:
        drawn.append(list(found.curves))
        draw(selection, found, of)

    monkeypatch.setattr(section, "pictures", watched)
    monkeypatch.setattr(pieces, "PACE", 0)
    app = healthy(visit("gradients", sample="fish"))
    assert drawn[0] == [("own", USUAL), ("untrained", USUAL)]
    assert list(map(len, drawn)) == [2, 3, 4, 5, 6]
    healthy(app.run())
    assert list(map(len, drawn[5:])) == [6]


def test_another_class_is_another_loss() -> None:
    app = healthy(visit("gradients", sample="left"))
    first = html(app)
    app.selectbox(key=f"loss class {shown(app).digest}").set_value(3).run()
    assert html(healthy(app)) != first
    assert f">{small(gradients(trace(shown(app)), 3, USUAL).loss)}<" in html(app)


def test_of_an_untrained_model_there_is_one_panel_with_all_four() -> None:
    app = healthy(visit("gradients", **{**POOLED, "classes": "5"}))
    (panel,) = figures(app)
    assert len(curves(panel)) == 4
    assert any("The untrained model on screen" in it.value for it in app.markdown)
    app.segmented_control(key="gradient_of").set_value("residual stream").run()
    assert len(curves(figures(app)[0])["as it is"]) == 3


def test_what_has_no_gradient_says_so() -> None:
    app = healthy(visit("gradients", **ODD))
    assert any("the loss is 0" in it.value for it in app.markdown)
    app = healthy(visit("gradients", **HEADLESS))
    assert any("no loss and no gradient" in it.value for it in app.markdown)
    assert not any("Read the curves" in it.value for it in app.markdown)


def test_linear_attention_has_no_scores_to_divide() -> None:
    app = healthy(visit("gradients", model="build-your-own", depth="2", attention="linear"))
    assert list(curves(figures(app)[0])) == ["as it is", "no residual connections", "post-norm"]


@pytest.mark.usefixtures("impatient")
def test_of_a_large_model_one_curve_comes_first() -> None:
    app = healthy(visit("gradients"))
    assert any("All 6 curves" in it.label and "multiply-adds" in it.label for it in app.toggle)
    assert len(curves(figures(app)[0])) == 1
    assert any("not measured yet" in it.value for it in app.markdown)
