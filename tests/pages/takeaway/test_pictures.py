"""Every picture that a page draws beside the board can be taken away, on every page, and somebody's own only ticked."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from tests.pages.app import healthy, visit
from vitviz.page import Page
from vitviz.pages import PAGES
from vitviz.takeaway.calculations import CALCULATIONS
from vitviz.takeaway.data import about
from vitviz.takeaway.file import MEDIA, File
from vitviz.takeaway.opening import opened
from vitviz.takeaway.view import from_words
from vitviz.ui.takeaway import figure, pictures

Files = Mapping[str, Callable[[], File]]
SVG = "{http://www.w3.org/2000/svg}"
GATED = {"model": "build-your-own", "image_size": "24x32", "patch_size": "8", "dim": "24", "depth": "2", "heads": "3"}
GATED |= {"distilled": "true", "registers": "2", "activation": "swiglu", "classes": "3"}
UNPICTURED = (
    "overview",
    "lecture",
    "lecturer",
    "notebook",
    "tensor_shapes",
    "speed",
)  # in details, tables and cards alone


@dataclass(frozen=True)
class Offered:
    """What one picture of a page offers."""

    key: str
    title: str
    files: Files
    own: bool
    place: object


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> list[Offered]:
    found: list[Offered] = []

    def take(key: str, title: str, files: Files, *, others: tuple[str, ...] = (), own: bool = False) -> None:
        here = figure.place()
        found[:] = [it for it in found if (it.key, it.place) != (key, here)]  # it is drawn anew as it grows
        found.append(Offered(key, title, files, own, here))

    monkeypatch.setattr(pictures, "take_away", take)
    return found


@pytest.mark.parametrize(
    ("entry", "query"),
    [
        *((entry, {"model": "demo"}) for entry in PAGES.values()),
        *((entry, GATED) for entry in PAGES.values() if entry.on_board),
    ],
    ids=lambda it: it.stem if isinstance(it, Page) else it["model"],
)
def test_every_picture_comes_as_figure_and_numbers(entry: Page, query: dict[str, str], offered: list[Offered]) -> None:
    healthy(visit(entry.stem, open="details", **query))
    assert offered or entry.stem in UNPICTURED
    assert len({it.key for it in offered}) == len(offered)
    for it in offered:
        assert 3 < len(it.title) < 64, "it is the name of a file and of a dialog"
        assert not re.search(r"[.:;] ", it.title), "a sentence"
        assert "\\" not in it.title
        assert "{" not in it.title
        if entry.stem == "switches":  # which has tables alone
            assert np.load(BytesIO(it.files["npz"]().data), allow_pickle=False)["values"].shape == (4, 2)
            continue
        svg, npz = it.files["svg"](), it.files["npz"]()
        root = ElementTree.fromstring(svg.data)
        title = root.find(f"{SVG}title")
        assert title is not None
        assert title.text
        assert "](" not in title.text
        numbers = np.load(BytesIO(npz.data), allow_pickle=False)
        arrays = [name for name in numbers.files if f"{name}.axes" in numbers.files]
        assert arrays
        assert not [name for name in arrays if re.sub(r"_\d+$", "", name) in set(arrays) - {name}], (
            "nobody could tell them apart"
        )
        assert all(numbers[name].dtype in (np.float32, np.int64) for name in arrays)
        assert {svg.name, npz.name} == {f"{svg.name.removesuffix('.svg')}.{ending}" for ending in ("svg", "npz")}
    for it in offered[: entry.stem != "switches" and query != GATED]:
        assert Image.open(BytesIO(it.files["png"]().data)).size[0] == 2 * 960


def test_a_file_of_a_figure_says_what_one_of_its_page_s_view_does(offered: list[Offered]) -> None:
    words = {"layer": "3", "edits": "h2.1*0", "sample": "fish"}
    healthy(visit("heads", open="details", **words))
    npz = offered[0].files["npz"]()
    assert npz.media == MEDIA["npz"]
    file = np.load(BytesIO(npz.data))
    said = {name[6:].replace("_", " "): str(file[name]) for name in file.files if name.startswith("about.")}
    assert (said.pop("figure"), said.pop("caption")[:7]) == (offered[0].title, "96 × 96")
    expected = about(opened(from_words("heads", words, CALCULATIONS)), said.pop("link"))
    assert said.items() <= expected.items()
    assert said.keys() == {"made with", "page", "model", "config", "edits", "picture"}


def test_a_spreadsheet_is_offered_where_it_is_not_too_large(
    offered: list[Offered], monkeypatch: pytest.MonkeyPatch
) -> None:
    healthy(visit("five_shots"))
    sizes = {it.key: len(it.files["csv"]().data) for it in offered if "csv" in it.files}
    assert sizes
    large = next(it for it in offered if "csv" not in it.files)  # the pictures that it learns from
    assert {"png", "svg", "npz"} <= large.files.keys()
    with np.load(BytesIO(large.files["npz"]().data)) as file:
        assert sum(file[name].size for name in file.files if f"{name}.axes" in file.files) > 500_000
    monkeypatch.setattr(pictures, "MOST_BYTES", 1)
    offered.clear()
    healthy(visit("five_shots"))
    assert offered
    assert not any("csv" in it.files for it in offered)
