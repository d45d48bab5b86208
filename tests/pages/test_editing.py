"""Edits of a link: what can be made is shown on every page, the rest is said in a sentence."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import healthy, shown, visit
from vitviz import results
from vitviz.images import PHOTOS
from vitviz.selection import Picture
from vitviz.ui import fallback
from vitviz.ui.sidebar import uploads
from vitviz.ui.widgets import predictions


def test_a_link_edits_the_run_that_every_page_shows() -> None:
    app = healthy(visit("heads", edits="h3.1*0 b2*0"))
    selection = shown(app)
    assert str(selection.edits) == "h3.1*0 b2*0"
    assert not app.toast
    edited, plain = results.forward_info(selection), results.forward_info(selection.plain)
    assert not np.array_equal(edited.logits, plain.logits)
    assert np.array_equal(edited.maps[0], plain.maps[0])
    assert not np.array_equal(edited.maps[2], plain.maps[2])
    assert app.query_params["edits"] == "h3.1*0 b2*0"


@pytest.mark.parametrize("page", ["patch_grid", "heads", "depth", "class_head", "encoder_block", "tensor_shapes"])
def test_every_kind_of_page_shows_an_edited_run(page: str) -> None:
    app = healthy(
        visit(page, edits="p40-45=removed t=0.5 k3=9 d=0.1 i=shuffled e=off r5.x1", donor="left", open="details")
    )
    assert str(shown(app).edits) == "t=0.5 k3=9 p40-45=removed i=shuffled e=off d=0.1 r5.x1"
    assert shown(app).donor is not None


def test_what_a_model_cannot_have_is_said_and_the_rest_is_made() -> None:
    app = healthy(visit("heads", edits="h9.1*0 b2*0 m1*7 <b>x</b>"))
    assert str(shown(app).edits) == "m1*2 b2*0"
    said = app.toast[0].value.split("\n\n")
    assert said[0] == "Of the edits in the link: “h9.1\\*0” asks for layer 9, and this model has 6 layers."
    assert "the nearest is 2" in said[1]
    assert "\\<b\\>x\\</b\\>" in said[2]
    app.run()
    assert not app.toast


def test_an_edited_answer_says_so() -> None:
    selection = shown(visit("heads", edits="h3.1*0 b2*0 p1 p3", model="vit_tiny_patch16_224"))
    assert predictions.caveat(selection) == (
        "Edited: Head 1 of layer 3 off; Layer 2 off; Patch 1 hidden: masked as keys and 1 more. "
        "Untrained: all parameters are random, and so is the answer."
    )
    assert predictions.caveat(shown(visit("heads"))) == ""


def test_many_wrong_edits_are_counted() -> None:
    app = healthy(visit("heads", edits="a b d e f g j"))
    assert app.toast[0].value.split("\n\n")[3:] == ["Of the edits in the link, 4 more cannot be made as they stand."]


@pytest.mark.parametrize(
    ("donor", "sentence"),
    [("nobody", "the second picture “nobody” is not here, or not yours"), ("", "some of the edits need a second")],
)
def test_a_donor_that_is_gone_is_a_sentence(donor: str, sentence: str) -> None:
    app = healthy(visit("heads", edits="r3.40 b2*0", **({"donor": donor} if donor else {})))
    assert str(shown(app).edits) == "b2*0"
    assert any(sentence in toast.value for toast in app.toast)


def test_ones_own_picture_may_be_the_second(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = Picture("own", "your picture", "", PHOTOS[0].read())
    monkeypatch.setattr(uploads, "own", lambda digest: mine if digest == mine.digest else None)
    app = healthy(visit("heads", edits="r3.40", donor=mine.digest))
    assert shown(app).donor == mine
    assert shown(app).donor_link == mine.digest
    assert not app.toast


def test_another_model_has_the_edits_that_it_can() -> None:
    app = healthy(visit("heads", edits="h6.4*0 h3.3*0"))
    app.selectbox(key="model").set_value("vit_tiny_patch16_224").run()
    assert str(shown(healthy(app)).edits) == "h3.3*0"
    assert "asks for head 4, and this model has 3 heads" in app.toast[0].value


def test_edits_that_leave_the_range_of_numbers_leave_the_plain_run(monkeypatch: pytest.MonkeyPatch) -> None:
    made = fallback.results.forward_info

    def fails(selection: object) -> object:
        from vitviz.machine.device import DeviceError

        if selection.edits:  # type: ignore[attr-defined]
            raise DeviceError("the forward pass leaves the range of numbers")
        return made(selection)  # type: ignore[arg-type]

    monkeypatch.setattr(fallback.results, "forward_info", fails)
    app = healthy(visit("heads", edits="b2*0"))
    assert str(shown(app).edits) == ""
    assert [it.value for it in app.warning] == [
        "the forward pass leaves the range of numbers. Shown: the model without edits."
    ]


def paint() -> None:
    import streamlit as st

    from vitviz.samples import samples
    from vitviz.selection import FIRST_MODEL, Selection
    from vitviz.ui import pieces

    asked = pieces.heads_map(Selection(FIRST_MODEL, samples()["left"]))
    for piece, changes in pieces.painted(asked, "Switching off every head"):
        st.text(f"layer {piece.layer + 1}: {changes.shape}")


def test_a_map_is_painted_piece_by_piece() -> None:
    app = AppTest.from_function(paint, default_timeout=60).run()
    assert [it.value for it in app.text] == [f"layer {layer}: (4, 16)" for layer in range(1, 7)]
    assert not app.exception
