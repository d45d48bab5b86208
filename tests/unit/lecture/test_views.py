"""Views: read as the app reads its addresses, and written without what is as usual."""

import random
from urllib.parse import urlencode

import pytest

from benchmarks.links import PARAMETERS, STRANGE, link
from vitviz.choices import NUMBERS, WORDS, refusal
from vitviz.config import PRESETS
from vitviz.lecture import ViewError, read_view
from vitviz.lecture.views import FIRST_MODEL, MODELS, OTHER_MODELS, SAMPLES, SECOND
from vitviz.pages import LEADS
from vitviz.samples import samples
from vitviz.selection import FIRST_MODEL as SHOWN_FIRST
from vitviz.ui.sidebar.models.listed import CHOICES

OF_A_LESSON = {"lesson", "step"}  # they stand beside a view
READ_BY_THE_BOARD = {"answer", "crop", "learned"}  # not by Streamlit, as the others of a link


def test_words_samples_and_models_are_those_of_the_app() -> None:
    of_links = {name for name in PARAMETERS if not name.startswith(SECOND)} - OF_A_LESSON
    assert of_links | READ_BY_THE_BOARD == WORDS
    assert list(samples()) == list(SAMPLES)
    assert {*MODELS, *OTHER_MODELS} == set(CHOICES)
    assert SHOWN_FIRST.name == FIRST_MODEL


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("heads", "heads"),
        ("/heads?", "heads"),
        ("", ""),
        ("overview", ""),
        ("overview?moment=stages", "?moment=stages"),
        ("overview?moment=2", "?moment=stages"),
        ("heads?moment=9", "heads?moment=pair"),
        ("heads?moment=wall", "heads"),
        ("memory?moment=2", "memory"),
        ("heads?sample=cat&model=demo&layer=1&head=1&query=class&shows=row&moment=1&edits=", "heads"),
        ("heads?query=1&beside=2&after=6", "heads?query=1"),
        ("heads?beside=1&after=5", "heads?beside=1&after=5"),
        ("side_by_side?beside=demo", "side_by_side?beside=demo"),
        ("heads?edits=h3.1*0%20t=2&sample=left", "heads?edits=h3.1%2A0+t%3D2&sample=left"),
        ("siblings?differs=Data%20sizes", "siblings?differs=Data+sizes"),
        ("heads?b.model=demo&b.layer_scale=true", "heads?b.model=demo&b.layer_scale=true"),
    ],
)
def test_an_address_says_only_what_is_not_as_usual(text: str, address: str) -> None:
    view = read_view(text)
    assert view.address == address
    assert read_view(view.address) == view


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("", (0, 0, 0)),
        ("?layer=3&head=2&query=40", (2, 1, 40)),
        ("?query=class", (0, 0, 0)),
        ("?query=1", (0, 0, 1)),
        ("?model=deit_base_distilled_patch16_224&query=distillation&layer=12", (11, 0, 1)),
        ("?model=deit_base_distilled_patch16_224&query=1", (0, 0, 2)),
    ],
)
def test_places_count_from_0_in_code(query: str, place: tuple[int, int, int]) -> None:
    at = read_view(f"heads{query}").place
    assert (at.layer, at.head, at.query) == place


def test_of_ten_thousand_views_only_those_pass_whose_numbers_the_app_takes() -> None:
    chance = random.Random(25)
    passed = 0
    for number in range(10_000):
        one = link(25, number)
        asks = one.asks | {chance.choice(list(NUMBERS)): chance.choice((*STRANGE, "1", "2", "3", str(number)))}
        few = dict(chance.sample(list(asks.items()), min(len(asks), chance.randrange(1, 4))))
        try:
            view = read_view(f"{one.stem}?{urlencode(few)}")
        except ViewError:
            continue
        passed += 1
        assert view.page != LEADS.stem
        assert [name for name, text in view.words if refusal(name, text)] == []
    assert passed > 1_000


def test_the_sizes_of_a_model_follow_from_its_name() -> None:
    assert read_view("heads").config == PRESETS["demo"]
    assert read_view("heads?model=vit_base_patch16_224").config == PRESETS["vit_base_patch16_224"]
    assert read_view("heads?model=build-your-own&depth=3&layer=9").config is None  # whatever it is, it is not refused
