"""Dropout: what the page says of thirty answers is what the engine's own come to."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from vitviz.pages.laboratory.chance import shown as section

from tests.pages.app import array, captions, figures, healthy, move, shown, stands, trace, visit
from tests.pages.test_every_page import HEADLESS, POOLED
from vitviz.measures.arrays import Array
from vitviz.measures.laboratory.chance import ByChance, answers_by_chance
from vitviz.selection import Selection
from vitviz.ui import pieces


def measured(app: AppTest, dropout: float, drop_path: float, first: int, last: int) -> ByChance:
    return answers_by_chance(trace(shown(app).plain), dropout, drop_path, first, last)


def dots(app: AppTest) -> np.ndarray:
    """The probabilities on the page, class by class."""
    return array(figures(app)[0]["data"][0]["x"])


def test_the_strips_are_the_answers_of_the_first_thirty_seeds() -> None:
    app = healthy(visit("chance", sample="left"))
    found = measured(app, 0.1, 0.1, 1, 31).probabilities
    answers, means, *rest = figures(app)[0]["data"]
    ticks = [array(it["x"]) for it in rest if it["mode"] == "lines"]
    drawn = np.sort(array(answers["x"]).reshape(-1, 30), axis=1)
    best = int(trace(shown(app))["logits"].tensor[0].argmax())
    np.testing.assert_allclose(drawn[0], np.sort(found[:, best]), atol=1e-6)
    np.testing.assert_allclose(array(means["x"])[0], found[:, best].mean(), atol=1e-6)
    undisturbed = float(trace(shown(app))["logits"].tensor[0].softmax(-1)[best])
    assert ticks[0] == pytest.approx([undisturbed, undisturbed])
    assert len(ticks) == len(drawn)
    assert f"stays first in {(found.argmax(axis=1) == best).sum()} of 30" in captions(app)


def test_answers_are_drawn_as_they_come_and_once_where_all_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, draw = [], section.answers

    def watched(selection: Selection, found: ByChance, plain: Array) -> None:
        drawn.append(len(found.probabilities))
        draw(selection, found, plain)

    monkeypatch.setattr(section, "answers", watched)
    monkeypatch.setattr(pieces, "PACE", 0)
    app = healthy(visit("chance", sample="left", dropout_rate="0.3"))
    assert drawn == [6, 12, 18, 24, 30]
    healthy(app.run())
    assert drawn[5:] == [30]
    assert len(figures(app)) == 2
    monkeypatch.setattr(pieces, "PACE", float("inf"))
    healthy(move(app, "Draw", "2"))
    assert drawn[6:] == [6, 30]


def test_another_draw_and_other_rates_are_other_answers() -> None:
    app = healthy(visit("chance", sample="left", drop_path_rate="0.0"))
    assert "every block takes part" in captions(app)
    first = dots(app)
    app = healthy(move(app, "Draw", "2"))
    assert "31 to 60" in captions(app)
    assert not np.array_equal(dots(app), first)
    found = measured(app, 0.1, 0, 31, 61).probabilities
    assert dots(app).max() == pytest.approx(found.max())


def test_edits_are_left_aside_and_the_page_says_so() -> None:
    plain, edited = (healthy(visit("chance", sample="left", edits=edits)) for edits in ("", "h1.1*0 b2*0"))
    assert "2 edits left aside" in captions(edited)
    np.testing.assert_array_equal(dots(plain), dots(edited))


def test_a_model_with_a_rate_of_its_own_begins_there() -> None:
    app = healthy(visit("chance", model="build-your-own", depth="2", dropout="0.2"))
    assert stands(app, "Dropout rate") == "0.2"


def test_without_a_class_token_and_without_a_head() -> None:
    assert "stays first" in captions(healthy(visit("chance", **POOLED)))
    app = healthy(visit("chance", **HEADLESS))
    assert any("no answer that could scatter" in it.value for it in app.markdown)
    assert not any("Raise a rate" in it.value for it in app.markdown)


@pytest.mark.usefixtures("impatient")
def test_a_large_model_answers_as_often_as_takes_a_moment_until_all_are_asked_for() -> None:
    app = healthy(visit("chance", sample="left"))
    assert "1 answer × 16 probabilities" in captions(app)
    assert dots(app).max() == pytest.approx(measured(app, 0.1, 0.1, 1, 2).probabilities.max())
    (toggle,) = (it for it in app.toggle if "All 30 answers" in it.label)
    assert "multiply-adds" in toggle.label
    toggle.set_value(True).run()
    assert "30 answers × 16 probabilities" in captions(healthy(app))


def test_a_rate_that_is_none_is_told() -> None:
    app = healthy(visit("chance", dropout_rate="lots"))
    assert any("dropout rate “lots”" in it.value for it in app.toast)
    assert stands(app, "Dropout rate") == "0.1"
