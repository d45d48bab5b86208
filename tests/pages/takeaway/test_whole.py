"""The menu gives the whole view: its column, its moment of training, and the second picture that edits take."""

from io import BytesIO
from typing import Any

import nbformat
import numpy as np
import pytest

from tests.pages.app import healthy, visit
from tests.pages.takeaway.test_asking import numbers, told
from vitviz.demo.snapshots import snapshots
from vitviz.pages import ON_BOARD
from vitviz.selection import Selection
from vitviz.takeaway.calculations import CALCULATIONS, values
from vitviz.takeaway.file import File
from vitviz.takeaway.opening import opened
from vitviz.takeaway.view import from_words
from vitviz.ui.board import takeaway
from vitviz.view import View


def test_each_column_gives_its_own_numbers(served: list[File]) -> None:
    words = {"sample": "left", "edits": "h2.1*0", "b.model": "shelf_gap_0", "b.image": "above", "b.edits": "h1.2*0"}
    for column, key in (("first", "overview"), ("second", "overview.b")):
        healthy(visit("overview", **words, take=f"{key}.npz.bare.1"))
        view = from_words("overview", words, CALCULATIONS, column=column)
        np.testing.assert_allclose(numbers(served[-1]), values(view, opened(view).trace), atol=1e-5)
    assert served[1].name == "overview-shelf_gap_0-Red_ball_above_blue_ball.npz"


@pytest.mark.parametrize(
    ("stem", "words", "key"),
    [
        ("heads", {"learned": "166", "layer": "3"}, "heads"),
        ("position_embedding", {"b.model": "demo", "b.moment": "166", "moment": "2", "query": "20"}, None),
    ],
)
def test_a_moment_of_training_is_given(stem: str, words: dict[str, str], key: str | None, served: list[File]) -> None:
    healthy(visit(stem, **words, take=f"{key or f'{stem}.b'}.npz.bare.1"))
    expected = snapshots().looked_at(166, 2) if key else snapshots().position_maps(166)[19].reshape(12, 12)
    np.testing.assert_array_equal(numbers(served[0]), expected)
    assert "after166" in served[0].name
    with np.load(BytesIO(served[0].data)) as file:
        assert (file["about.model"], file["about.step"]) == ("demo", "166")


def test_of_a_moment_of_training_there_is_no_offline_file(served: list[File]) -> None:
    app = healthy(visit("heads", learned="166", take="heads.file.bare.1"))
    assert served == []
    assert told(app)[0]["says"].startswith("No model ran on a picture")


def test_intervene_takes_the_second_picture_that_it_shows(served: list[File]) -> None:
    healthy(visit("intervene", sample="left", edits="r3.40", take="intervene.notebook.bare.1"))
    cells = nbformat.reads(served[0].data.decode(), as_version=4).cells
    assert any('donor_crop = loaded.preprocess.crop(sample("right"))' in cell.source for cell in cells)


ALL = {"sample": "left", "layer": "3", "head": "2", "query": "40", "key": "7", "component": "9", "after": "2"}
EDITED = {"edits": "h2.1*0 r3.40", "donor": "fish", "crop": "100-50-700"}
BESIDE = {"b.model": "shelf_relative_0", "b.image": "above", "b.edits": "m1*0.5"}


def test_another_page_of_the_chapter_is_not_at_the_moment_of_this_one(served: list[File]) -> None:
    healthy(visit("heads", moment="2", take="heads.chapter.bare.1"))
    cells = nbformat.reads(served[0].data.decode(), as_version=4).cells
    assert sum("attention_weights(trace, layer)[head]" in cell.source for cell in cells) == 1


@pytest.mark.parametrize(
    ("stem", "words", "column"),
    [
        *((stem, {**ALL, **EDITED}, "first") for stem in ON_BOARD),
        *((stem, {}, "first") for stem in ("patch_grid", "intervene")),
        *((stem, {**ALL, **EDITED, **BESIDE}, "second") for stem in ("overview", "heads", "class_head")),
        ("heads", {**ALL, "shows": "column"}, "first"),
        ("position_embedding", {"moment": "2", "b.model": "demo", "b.moment": "34"}, "second"),
        ("heads", {**ALL, "moment": "2", "mean": "1"}, "first"),
        ("query_key_value", {**ALL, "moment": "3", "divide": "one"}, "first"),
        ("position_embedding", {"moment": "3", "placed": "off"}, "first"),
        ("depth", {"model": "build-your-own", "dim": "96", "heads": "3", "depth": "2", "seed": "7"}, "first"),
        ("intervene", {"sample": "cat", "edits": "p1-9=paste"}, "first"),
    ],
)
def test_the_menu_and_a_link_mean_the_same_view(
    stem: str, words: dict[str, str], column: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[View] = []

    def files(view: View, _: Selection) -> dict[str, Any]:
        given.append(view)
        return {}

    monkeypatch.setattr(takeaway, "files", files)
    key = stem if column == "first" else f"{stem}.b"
    healthy(visit(stem, **words, take=f"{key}.npz.bare.1"))
    assert given == [from_words(stem, words, CALCULATIONS, column=column)]
