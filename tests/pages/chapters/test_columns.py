"""The second column as a link asks for it: what is sent of it, what is said where it cannot be, and old links."""

from typing import Any

import numpy as np
import pytest

from tests.pages.app import ask, captions, healthy, numbers_sent, shown, told, visit
from vitviz import results
from vitviz.demo.snapshots import snapshots
from vitviz.measures import attention_weights
from vitviz.measures.quantised import dequantise
from vitviz.pages import ON_BOARD
from vitviz.results import measure
from vitviz.samples import samples
from vitviz.selection import FIRST_MODEL, ModelChoice, Picture, Selection
from vitviz.shelf.rows import SHELF
from vitviz.takeaway.calculations import CALCULATIONS, values
from vitviz.takeaway.opening import opened
from vitviz.takeaway.view import from_words
from vitviz.ui.sidebar import uploads

WITH_COLUMNS = ["overview", "position_embedding", "heads", "depth"]
WITH_COLUMNS += ["what_a_token_knows", "class_head", "why_this_answer"]
SIBLING = "shelf_relative_0"


def said(app: Any) -> dict[str, Any]:
    """What the board is told, by kind: of the first column, and of the second."""
    found: dict[str, Any] = {}
    for message in told(app):
        found |= {"second": message["beside"]} if "beside" in message else {"first": message}
    return found


def link(**query: str) -> dict[str, str]:
    """`b_model` and so on as the address has it."""
    return {name.replace("b_", "b.", 1): text for name, text in query.items()}


def test_a_link_holds_both_columns() -> None:
    app = healthy(visit("heads", **link(sample="left", layer="6", b_model=SIBLING, b_image="above", b_edits="h4.1*0")))
    told, parcels = said(app), numbers_sent(app)
    first, second = (told[name]["meta"]["digest"] for name in ("first", "second"))
    columns = [digest for digest, _ in parcels]
    assert columns == sorted(columns, key=[first, second].index), "all of the first before anything of the second"
    assert told["first"]["meta"]["model"] == "demo"
    meta = told["second"]["meta"]
    assert (meta["model"], meta["picture"]["title"], meta["edits"]) == (SIBLING, samples()["above"].title, "h4.1*0")
    asked = told["first"]["second"]
    assert (asked["model"], asked["image"], asked["edits"], asked["says"]) == (SIBLING, "above", "h4.1*0", "")
    ours = {name for digest, name in parcels if digest == told["first"]["meta"]["digest"]}
    theirs = {name for digest, name in parcels if digest == meta["digest"]}
    assert "exact-5-0" in ours
    assert "exact-3-0" in theirs, "layer 6 of 6 beside layer 4 of 4"
    assert {"maps-0", "maps-3", "opening"} <= theirs
    assert "maps-4" not in theirs


def test_the_engine_begins_with_both_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Any] = []
    monkeypatch.setattr(results, "begin_all", lambda *requests: begun.append(requests))
    app = healthy(visit("heads", **link(sample="right", b_model=SIBLING, b_image="below")))
    (first, second) = begun[0]
    assert samples()["right"].digest in first.key
    assert samples()["below"].digest in second.key
    begun.clear()
    healthy(ask(app, **link(b_model="build-your-own", b_image_size="1024", b_patch_size="2")))
    assert len(begun[0]) == 1, "nothing is asked for that may not run"


def test_the_second_columns_maps_are_its_models() -> None:
    app = healthy(visit("heads", **link(sample="left", query="40", b_model=SIBLING)))
    digest = said(app)["second"]["meta"]["digest"]
    selection = Selection(ModelChoice(SIBLING, SHELF[SIBLING]), samples()["left"])
    for layer in range(selection.config.depth):
        weights = measure(selection, attention_weights, layer)
        decoded = dequantise(numbers_sent(app)[digest, f"maps-{layer}"]["code"])
        assert np.abs(decoded - weights).sum(axis=-1).max() < 0.02
    row = measure(selection, attention_weights, 0)[:, 40]
    np.testing.assert_array_equal(numbers_sent(app)[digest, "exact-0-40"]["row"], row)


def test_what_is_taken_away_of_a_column_are_the_numbers_that_it_is_sent() -> None:
    words = link(sample="left", layer="3", query="40", edits="h2.1*0 r3.40", donor="right")
    words |= link(b_model=SIBLING, b_image="above", b_edits="h1.2=mean p9=paste", b_donor="cat")
    app = healthy(visit("heads", **words))
    told, parcels = said(app), numbers_sent(app)
    for column, name in (("first", "exact-2-40 h2.1*0 r3.40"), ("second", "exact-2-40")):
        view = from_words("heads", words, CALCULATIONS, column=column)
        row = parcels[told[column]["meta"]["digest"], name]["row"]
        np.testing.assert_allclose(values(view, opened(view).trace), row, atol=1e-5)


def test_what_is_taken_away_of_a_moment_of_training_is_what_is_shown() -> None:
    app = healthy(visit("heads", **(words := link(sample="left", layer="3", learned="166"))))
    maps = numbers_sent(app)[said(app)["first"]["meta"]["digest"], "learning"]["maps"]
    shown_then = maps[snapshots().steps.index(166), :, 2]
    np.testing.assert_array_equal(values(from_words("heads", words, CALCULATIONS)), shown_then)
    words = link(moment="2", query="20", b_model="demo", b_moment="34")
    app = healthy(visit("position_embedding", **words))
    maps = numbers_sent(app)[said(app)["second"]["meta"]["digest"], "position-maps"]["maps"]
    view = from_words("position_embedding", words, CALCULATIONS, column="second")
    np.testing.assert_array_equal(values(view).ravel(), maps[19])


def test_the_same_beside_itself_is_sent_once() -> None:
    app = healthy(visit("heads", **link(b_model="demo")))
    told = said(app)
    assert told["first"]["meta"] == told["second"]["meta"]
    assert {digest for digest, _ in numbers_sent(app)} == {told["first"]["meta"]["digest"]}


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ({"b_model": "none_such"}, "There is no model “none_such”; choose"),
        ({"b_model": "demo", "b_image": "unicorn"}, "is not here, or not yours"),
        ({"b_model": "demo", "b_moment": "7"}, "was not kept; there are steps 0"),
        ({"b_model": SIBLING, "b_moment": "0"}, "none of this model"),
        ({"b_model": "build-your-own", "b_depth": "0"}, "Depth “0” is not to be had"),
        ({"b_model": "build-your-own", "b_patch_size": "15"}, "15"),
        ({"b_model": "vit_tiny_patch16_224", "b_seed": "-1"}, "is no seed"),
        ({"b_model": "your own file"}, "is not on this server yet"),
    ],
)
def test_a_second_column_that_cannot_be_is_a_sentence_and_the_first_stays(query: Any, why: str) -> None:
    app = healthy(visit("heads", **link(sample="left", **query)))
    told = said(app)
    assert why in told["first"]["second"]["says"]
    assert "second" not in told
    assert (told["first"]["meta"]["digest"], "maps-0") in numbers_sent(app)


def test_a_second_model_that_does_not_run_is_a_sentence_and_the_first_stays() -> None:
    query = link(b_model="build-your-own", b_image_size="1024", b_patch_size="2")
    app = healthy(visit("heads", **query))
    told = said(app)
    assert told["second"]["failed"]
    assert (told["first"]["meta"]["digest"], "maps-0") in numbers_sent(app)


def test_a_model_of_ones_own_is_built_of_what_the_link_says() -> None:
    query = link(b_model="build-your-own", b_image_size="32", b_patch_size="8", b_depth="2", b_positions="none")
    meta = said(healthy(visit("heads", **query, **link(b_dim="64", b_heads="4"))))["second"]["meta"]
    assert (meta["depth"], meta["heads"], meta["rows"]) == (2, 4, 4)


def test_a_picture_of_ones_own_goes_to_the_second_column_and_back() -> None:
    own = Picture("own", "your picture", "The picture that was uploaded.", samples()["above"].data)
    uploads.keep(own)
    app = healthy(visit("heads", **link(picture=own.digest, b_model="demo", b_image="left")))
    assert shown(app).picture.digest == own.digest
    del app.query_params["picture"]
    app = healthy(ask(app, **link(sample="left", b_image=own.digest)))
    assert shown(app).picture.id == "left"
    assert said(app)["second"]["meta"]["picture"]["digest"] == own.digest[:16]
    app = healthy(ask(app, **link(picture=own.digest, b_image="left")))
    assert shown(app).picture.digest == own.digest


def test_other_pages_keep_the_column_in_the_address_and_show_one() -> None:
    for stem in ("patch_grid", "intervene", "growth"):
        app = healthy(visit(stem, **link(b_model=SIBLING)))
        told = said(app)
        assert told["first"]["second"]["model"] == SIBLING
        assert "second" not in told
        assert app.query_params["b.model"] in (SIBLING, [SIBLING])
    assert "One column here" in captions(app)


def test_links_without_a_second_column_are_as_before() -> None:
    told = said(healthy(visit("heads", layer="2")))
    assert told["first"]["second"] is None
    assert "second" not in told


def test_the_scenes_with_two_columns() -> None:
    config = FIRST_MODEL.config
    assert [stem for stem, scene in ON_BOARD.items() if any(it.columns for it in scene.moments(config))] == WITH_COLUMNS
