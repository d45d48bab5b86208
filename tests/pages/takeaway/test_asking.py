"""Take away under AppTest: nothing is made or sent unasked; what is asked for comes, or a sentence why it does not."""

import json
from dataclasses import replace
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest

from tests.pages.app import ask, healthy, inline_only, shown, trace, visit
from tests.pages.test_every_page import SMALL
from vitviz.edits import Edits
from vitviz.machine import price
from vitviz.measures.attention import attention_row
from vitviz.pages import ON_BOARD, PAGES
from vitviz.takeaway import making
from vitviz.takeaway.calculations import CALCULATIONS
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.file import File
from vitviz.ui.takeaway import file_requests


def told(app: AppTest) -> list[dict[str, Any]]:
    """What the run says of what was asked for."""
    sent = [json.loads(it.proto.json) for it in app.get("bidi_component") if it.proto.component_name == "vitviz.data"]
    return [it["file"] for (it,) in sent if "file" in it]


def menus(app: AppTest) -> list[dict[str, Any]]:
    """What the menus of the board's columns are told."""
    sent = [json.loads(it.proto.json) for it in app.get("bidi_component") if it.proto.component_name == "vitviz.data"]
    columns = [it.get("beside", it) for (it,) in sent]
    return [it["meta"]["takes"] for it in columns if "meta" in it]


def offered(app: AppTest) -> list[str]:
    """What the menu of the first column offers."""
    files: list[str] = menus(app)[0]["files"]
    return files


def numbers(file: File) -> np.ndarray:
    """Those of a view, from its file."""
    with np.load(BytesIO(file.data), allow_pickle=False) as arrays:
        values: np.ndarray = arrays["values"]
        return values


@pytest.mark.parametrize("stem", ON_BOARD)
def test_a_page_makes_and_sends_nothing_unasked(stem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "MAKERS", dict.fromkeys(making.MAKERS))
    app = healthy(visit(stem))
    assert told(app) == []
    assert [it for it in app.get("bidi_component") if it.proto.component_name == "vitviz.place"] == []
    assert ("notebook" in offered(app)) == (stem in CALCULATIONS)


def test_the_numbers_that_come_are_those_of_the_view(served: list[File]) -> None:
    app = healthy(visit("heads", layer="3", query="40", take="heads.npz.bare.1"))
    (said,) = told(app)
    assert said == {"word": "heads.npz.bare.1", "url": "/media/1", "name": "heads-demo-Cat-layer3.npz"}
    np.testing.assert_array_equal(numbers(served[0]), attention_row(trace(shown(app)), 2, 40))


def test_a_word_is_answered_for_the_view_that_it_was_asked_of() -> None:
    app = healthy(visit("heads", layer="3", take="heads.svg.bare.1"))
    first = told(app)
    assert told(healthy(app.run())) == first  # a newer run cut the first one off, maybe
    (said,) = told(healthy(ask(app, layer="4")))  # Streamlit sent an old address again: who waits hears so
    assert said == {"word": "heads.svg.bare.1", "says": f"{file_requests.CHANGED}."}
    (said,) = told(healthy(ask(app, take="heads.svg.bare.2")))
    assert said["name"] == "heads-demo-Cat-layer4.svg"
    del app.query_params["take"]
    assert told(healthy(app.run())) == []


def test_a_word_whose_run_was_cut_off_is_answered_though_the_view_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    serve = file_requests.served

    def cut_off(_: File) -> str:
        raise StopException

    monkeypatch.setattr(file_requests, "served", cut_off)
    app = healthy(visit("heads", layer="3", take="heads.svg.bare.1"))
    assert told(app) == []
    monkeypatch.setattr(file_requests, "served", serve)
    (said,) = told(healthy(ask(app, layer="4")))
    assert said["name"] == "heads-demo-Cat-layer4.svg"


@pytest.mark.parametrize("stem", ["heads", "norms"])
def test_a_file_says_what_is_seen_and_not_who_sees_it_where(stem: str, served: list[File]) -> None:
    shared = f"{'0a' * 32}-{'Ab_-' * 8}"
    visitor = {"room": "QRST", "lesson": "first", "step": "2", "b.picture": shared}
    app = visit(stem, layer="3", **visitor)
    place = next((it for it in app.get("bidi_component") if it.proto.component_name == "vitviz.place"), None)
    key = json.loads(place.proto.json)[0]["key"] if place else stem
    ask(app, take=f"{key}.npz.bare.1")
    link = str(np.load(BytesIO(served[0].data), allow_pickle=False)["about.link"])
    assert set(link.removeprefix(f"{stem}?").split("&")) == {"layer=3", "b.picture=own"}


def test_the_menu_knows_where_the_model_is_seen_while_it_learned() -> None:
    sent = [menus(visit(stem, **{"b.model": "demo"})) for stem in ("heads", "position_embedding", "depth")]
    assert [[it.get("learns") for it in them] for them in sent] == [
        ["wall", "wall"],
        [None, "similarity"],
        [None, None],
    ]


def test_the_menu_knows_the_files_of_every_moment() -> None:
    (at_first,), (at_sizes,) = (menus(visit("patch_grid", **words)) for words in ({}, {"moment": "sizes"}))
    assert at_first["files_at"] == {"sizes": at_sizes["files"]}
    assert set(at_first["files"]) - set(at_sizes["files"]) == {"png", "svg"}
    assert "sizes" not in at_sizes["files_at"]
    assert {tuple(it) for it in at_sizes["files_at"].values()} == {tuple(at_first["files"])}


@inline_only
def test_what_fails_is_said_and_the_page_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise TakeawayError("the file is too large; choose a smaller model")

    monkeypatch.setitem(making.MAKERS, "svg", fail)
    app = healthy(visit("heads", take="heads.svg.bare.3", query="7"))
    (said,) = told(app)
    assert said == {"word": "heads.svg.bare.3", "says": "The file is too large; choose a smaller model."}


@inline_only
def test_a_browser_does_not_wait_for_what_broke(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError("nobody thought of this")

    monkeypatch.setitem(making.MAKERS, "svg", fail)
    app = visit("heads", take="heads.svg.bare.3")
    assert app.exception  # of a fault of vitviz's own the log has the whole story
    (said,) = told(app)
    assert said == {"word": "heads.svg.bare.3", "says": f"{file_requests.BROKEN}."}


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("heads.exe.bare.1", "does not come in that form"),
        ("depth.svg.bare.1", "no longer on the page"),
        ("heads.b.svg.bare.1", "no longer on the page"),
    ],
)
def test_what_is_not_there_is_said(word: str, says: str) -> None:
    (said,) = told(healthy(visit("heads", take=word)))
    assert says in said["says"]
    assert "url" not in said


@pytest.mark.parametrize("word", ["<script>", "heads.svg.bare.x", "a" * 500, "heads.svg.perhaps.1"])
def test_what_is_no_word_of_the_menu_asks_for_nothing(word: str) -> None:
    assert told(healthy(visit("heads", take=word))) == []


def test_the_second_column_is_a_view_of_its_own(served: list[File]) -> None:
    words = {"b.model": "demo", "b.edits": "h3.1*0", "layer": "4", "query": "40"}
    app = healthy(ask(visit("heads", **words, take="heads.b.npz.bare.1"), take="heads.npz.bare.2"))
    second, first = map(numbers, served)
    np.testing.assert_array_equal(first, attention_row(trace(shown(app)), 3, 40))
    edited = replace(shown(app), edits=Edits.parse("h3.1*0", shown(app).config))
    np.testing.assert_array_equal(second, attention_row(trace(edited), 3, 40))
    assert abs(first - second).max() > 1e-3


def test_what_to_cite_needs_no_model(served: list[File]) -> None:
    healthy(visit("depth", take="depth.cite.bare.1"))
    assert b"@misc{" in served[0].data


@pytest.mark.parametrize("stem", [page for page in CALCULATIONS if page not in ON_BOARD])
def test_every_page_beside_the_board_goes_as_a_notebook(stem: str, served: list[File]) -> None:
    """Whichever of its pictures was asked."""
    healthy(visit(stem, **SMALL, take="0-4-1.notebook.bare.1"))
    (file,) = served
    assert file.name.startswith(f"{stem}-")
    cells = ["".join(cell["source"]) for cell in json.loads(file.data)["cells"]]
    assert cells[0].startswith(f"# {PAGES[stem].title}\n")
    assert "assert values.shape == given.shape" in cells[-1]


def test_a_notebook_has_what_the_page_s_address_chooses(served: list[File]) -> None:
    words = {"dropout_rate": "0.3", "drop_path_rate": "0.05", "draw": "2"}
    healthy(visit("chance", **SMALL, **words, take="0-4-1.notebook.bare.1"))
    assert "dropout = 0.3\\ndrop_path = 0.05\\nfirst = 31\\n" in "".join(served[0].data.decode().split('",\n    "'))


@pytest.mark.parametrize("what", ["notebook", "chapter"])
def test_pictures_in_no_address_are_not_taken_for_scenes(what: str, served: list[File]) -> None:
    (said,) = told(visit("five_shots", **SMALL, shots_of_1="own pictures", take=f"0-4-1.{what}.bare.1"))
    assert "in no link; choose scenes for it" in said["says"]
    assert served == []


def test_more_than_a_page_shows_unasked_is_not_taken_for_less(
    served: list[File], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(price, "FREE_SECONDS", 0.001)
    app = visit("first_values", **SMALL)
    app.toggle(key="every first_values").set_value(True).run()
    (said,) = told(ask(app, take="0-4-1.notebook.bare.1"))
    assert "as much as the page shows unasked" in said["says"]
    assert served == []


def test_a_class_that_is_in_no_address_is_not_taken_for_the_usual_one(served: list[File]) -> None:
    app = visit("gradients", **{**SMALL, "classes": "5"})
    field = next(it for it in app.selectbox if str(it.key).startswith("loss class"))
    first = field.value
    field.set_value(next(it for it in (0, 1) if it != first)).run()
    (said,) = told(ask(app, take="0-4-1.notebook.bare.1"))
    assert "of the class that the model names" in said["says"]
    assert served == []
    healthy(field.set_value(first).run())
    assert served


def test_depth_goes_with_the_layer_that_it_shows(served: list[File]) -> None:
    for words in ({"through": "5"}, {"through": "5", "layer": "2"}, {"layer": "5"}):
        healthy(visit("depth", **words, take="depth.svg.bare.1"))
    fifth, same, first = (file.data for file in served)
    assert fifth == same != first  # the map of the layer is named in bold


SPUN = """
import streamlit as st
from vitviz.ui.takeaway.figure import begin, key_of
begin()
if not st.session_state.get("waited"):
    st.empty()  # where a spinner was
st.session_state.waited = True
for title in ("One", "Two", "Two", "Two"):
    st.text(key_of("heads", title))
"""


def test_a_picture_keeps_its_key_when_the_spinner_above_it_has_gone() -> None:
    app = healthy(AppTest.from_string(SPUN).run())
    keys = [it.value for it in app.text]
    assert keys == ["heads-One", "heads-Two", "heads-Two-2", "heads-Two-3"]
    assert [it.value for it in healthy(app.run()).text] == keys
