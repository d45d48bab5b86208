"""Every page and the menus of its pictures: what they offer comes, and opens; a browser presses one of each page."""

import json
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from tests.pages.app import ask, healthy, visit
from tests.pages.takeaway.test_asking import offered, told
from tests.unit.takeaway.opening import FILES, opened
from vitviz.page import Page
from vitviz.pages import PAGES
from vitviz.takeaway.calculations import CALCULATIONS
from vitviz.takeaway.file import File
from vitviz.ui import page


def pictures(app: AppTest) -> list[dict[str, Any]]:
    """The menus of the pictures that the page has drawn, from the top."""
    return [
        json.loads(it.proto.json)[0] for it in app.get("bidi_component") if it.proto.component_name == "vitviz.place"
    ]


NOTHING = ("lecture", "lecturer")  # is there of a model to take away: they have no menu
TOO_LARGE = {("resolution", "csv"), ("five_shots", "csv")}  # a sentence says so, with the way out


@pytest.mark.parametrize("entry", PAGES.values(), ids=lambda it: it.stem)
def test_what_is_offered_comes_and_opens(entry: Page, served: list[File]) -> None:
    app = healthy(visit(entry.stem))
    menus = pictures(app)
    assert bool(menus) != (entry.on_board or entry.stem in NOTHING)
    if entry.stem in NOTHING or entry.gathers:  # whose file is test_cells.py's
        return
    if entry.on_board:
        menus = [{"key": entry.stem, "files": offered(app)}]
    assert all(("cite" in it["files"]) == ("notebook" in it["files"]) == (entry.stem in CALCULATIONS) for it in menus)
    key, files = menus[0]["key"], menus[0]["files"]
    assert set(files) <= set(FILES)
    if entry.stem in CALCULATIONS:
        assert {"npz", "notebook", "cite"} <= set(files)
    come = [it for it in files if (entry.stem, it) not in TOO_LARGE]
    for number, what in enumerate(files):
        word = f"{key}.{what}.bare.{number}"
        (said,) = told(healthy(ask(app, take=word)))
        assert said["word"] == word
        if what not in come:
            assert "the limit is 25.0 MB; take the .npz" in said["says"]
            continue
        assert "says" not in said, f"{what}: {said['says']}"
        assert said["name"] == served[-1].name
        opened(what, served[-1])
    assert len({it.name for it in served}) == len(served) == len(come), "two files of a page have one name"


def test_a_spinner_above_a_picture_leaves_its_menu_as_it_was(
    served: list[File], monkeypatch: pytest.MonkeyPatch
) -> None:
    says = page.sentence

    def after_a_spinner(text: str) -> None:
        st.empty()
        says(text)

    with monkeypatch.context() as slow:
        slow.setattr(page, "sentence", after_a_spinner)
        first = pictures(healthy(visit("chance")))
    app = healthy(visit("chance"))
    assert [it["key"] for it in pictures(app)] == [it["key"] for it in first]
    assert len({it["key"] for it in first}) == len(first) > 1
    (said,) = told(healthy(ask(app, take=f"{first[-1]['key']}.svg.bare.1")))
    assert said["name"] == served[0].name
