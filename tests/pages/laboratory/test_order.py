"""The page Permutation: what two models make of a picture whose patches changed places."""

import numpy as np
from vitviz.pages.laboratory.order.shown import NEITHER, ONE

from tests.pages.app import captions, figures, healthy, html, live, shown, trace, visit
from tests.pages.test_every_page import HEADLESS, SMALL
from vitviz.edits import Edits
from vitviz.measures.laboratory.order import reordered
from vitviz.numbers import small
from vitviz.trace import record

GUESSED = {"guess_order": ONE}


def test_the_numbers_on_the_page_are_those_of_a_run_of_its_own() -> None:
    app = healthy(visit("order", swap="40x41", **GUESSED))
    plain = trace(shown(app))
    edited = record(plain.model, plain["image"].tensor, edits=Edits.parse("i40=41", plain.config), plain=plain)
    found = reordered(edited)
    change = small(float(np.abs(found.logits[1] - found.logits[0]).max()))
    assert any(f"and by {change} in demo." in it.value for it in app.markdown if it.value.startswith("**Right**"))
    assert f"the largest is {small(float(found.followed.max()))}" in captions(app)
    assert "Without positions: every token goes with its patch" in app.success[0].value


def test_both_models_are_drawn_on_one_scale() -> None:
    drawn = figures(healthy(visit("order", **GUESSED)))
    assert len({panel["zmax"] for figure in drawn for panel in figure["data"]}) == 1
    assert [len(figure["data"]) for figure in drawn] == [2, 2]


def test_the_answers_wait_for_a_guess_and_a_wrong_one_is_told_the_right() -> None:
    app = healthy(visit("order"))
    assert "The answer of" not in html(app)
    assert not figures(app)
    assert len(app.latex) == 2, "the formula without its numbers"
    app = healthy(visit("order", guess_order=NEITHER))
    assert html(app).count("The answer of") == 2
    assert any(f"and it is “{ONE}”" in it.value for it in app.markdown)


def test_a_shuffle_takes_all_patches_and_frames_none() -> None:
    app = healthy(visit("order", swap="shuffled@3", **GUESSED))
    (mosaic,) = live(app, "mosaic").values()
    assert sorted(mosaic["order"]) == list(range(144))
    assert mosaic["pair"] is None
    assert not any(figure["layout"].get("shapes") for figure in figures(app))


def test_what_no_patch_is_called_is_the_usual_pair() -> None:
    (mosaic,) = live(healthy(visit("order", swap="1x9999")), "mosaic").values()
    assert mosaic["pair"] == [0, 65]


def test_edits_of_the_link_are_left_aside() -> None:
    assert "1 edit left aside" in captions(healthy(visit("order", edits="h3.1*0")))


def test_an_untrained_model_of_another_grid_without_class_token_stands_beside_the_sibling() -> None:
    app = healthy(visit("order", swap="1x9", **GUESSED, **{**SMALL, "pool": "attention"}))
    assert [figure["data"][0]["z"]["shape"] for figure in figures(app)] == ["12, 12", "3, 3"]
    assert [it["label"] for it in live(app, "chart").values()] == ["", "untrained parameters"]
    assert "Without positions: every token goes with its patch" in app.success[0].value


def test_windows_without_positions_still_know_neighbours() -> None:
    own = {**SMALL, "positions": "none", "attention": "window", "window": "1", "layer_scale": "false"}
    app = healthy(visit("order", swap="1x9", **GUESSED, **own))
    assert any("Its window still knows" in it.value for it in app.markdown)


def test_the_sibling_itself_stands_beside_the_demo_model() -> None:
    app = healthy(visit("order", model="shelf_none_0", **GUESSED))
    titles = [it.value for it in app.markdown if it.value.startswith("**demo")]
    assert titles == ["**demo**", "**demo, positions learned**"]


def test_a_model_without_classes_is_asked_for_its_result() -> None:
    app = healthy(visit("order", **GUESSED, **HEADLESS))
    assert any("guess whose result changes" in it.value for it in app.markdown)
    assert any("a component of the result by" in it.value for it in app.markdown)
    assert any("that of a component of the result" in it.value for it in app.markdown)
    assert "what a head would read moves by" in captions(app)
