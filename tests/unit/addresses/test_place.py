"""A place in a model is read from an address in the same way by the app, by lessons and by what is taken away."""

from dataclasses import asdict
from types import SimpleNamespace
from urllib.parse import urlencode

import pytest
import streamlit as st

from vitviz.addresses.place import STRONGEST, Place, patch_of, read_crop, read_place, read_token, whole
from vitviz.config import PRESETS
from vitviz.images import Crop
from vitviz.lecture.views import View
from vitviz.takeaway.view import understood
from vitviz.ui.board import address

DEMO = PRESETS["demo"]
DISTILLED = "deit_base_distilled_patch16_224"
USUAL = Place(layer=0, head=0, query=0, key=STRONGEST, component=0, after=6, through=1)


def test_everything_counts_from_1_but_blocks_that_have_run() -> None:
    asked = {"layer": "6", "head": "2", "query": "40", "key": "class", "component": "128", "after": "0", "through": "3"}
    assert read_place(asked, DEMO) == (Place(5, 1, 40, 0, 127, after=0, through=3), ())
    assert read_place({}, DEMO) == (USUAL, ())
    assert read_place({"query": "", "layer": ""}, DEMO) == (USUAL, ())


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(("layer", text) for text in ("0", "7", "-1", "1e0", "1.0", "٣", " 1", "0000001")),
        *(("head", "5"), ("component", "129"), ("after", "7"), ("through", "0"), ("query", "145"), ("key", "0")),
        *(("query", "distillation"), ("query", "Class")),
    ],
)
def test_what_a_model_does_not_have_is_refused_and_what_is_usual_stands_for_it(name: str, text: str) -> None:
    assert read_place({name: text}, DEMO) == (USUAL, (name,))


@pytest.mark.parametrize("model", ["demo", DISTILLED])
@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"layer": "3", "head": "2", "query": "9", "key": "12", "component": "77", "after": "2", "through": "4"},
        {"query": "class", "key": "distillation"},
        {"layer": "12", "query": "196", "after": "12"},
        {"layer": "13", "head": "0", "query": "x", "after": "-1"},
    ],
    ids=urlencode,
)
def test_the_app_lessons_and_what_is_taken_away_see_the_same_place(
    model: str, asked: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = {**asked, "model": model}
    place, _ = read_place(words, PRESETS[model])
    fields = asdict(place)
    monkeypatch.setattr(st, "query_params", SimpleNamespace(to_dict=lambda: words))
    shown = asdict(address.read(PRESETS[model]))
    assert {name: shown[name] for name in fields} == fields
    assert shown["patch"] == patch_of(place.query, PRESETS[model])
    assert View("heads", tuple(words.items())).place == place
    taken = understood("heads", words, ["heads"])[0]
    assert all(getattr(taken, name) == fields[name] for name in fields if name != "through")


def test_numbers_have_six_digits_unless_the_largest_has_more() -> None:
    assert whole("000001", 1, 6) == 1
    assert whole("0000001", 1, 6) is None
    assert whole("2147483647", 0, 2**31 - 1) == 2**31 - 1
    assert read_token("²", DEMO) is None


def test_a_crop_is_three_numbers_whose_side_is_large_enough() -> None:
    assert read_crop("10-20-900") == Crop(10, 20, 900)
    assert [read_crop(text) for text in ("", "10-20", "0-0-19", "0-0-1001", "0-0-٩٩٩", "-1-0-500")] == [None] * 6
