"""Old links: whatever one said leads to the same view, in the app, in a lesson and on the command line."""

import pytest
from starlette.responses import Response
from starlette.testclient import TestClient

from vitviz.addresses.old import NUMBERED, moment_said, places_of_numbers
from vitviz.config import PRESETS, ViTConfig
from vitviz.lecture.views import read_view
from vitviz.pages import ON_BOARD, PAGES
from vitviz.pretrained import PRETRAINED
from vitviz.takeaway.view import from_link
from vitviz.ui.server.old_links import OldLinks

DEMO = PRESETS["demo"]
MODELS = {
    "demo": DEMO,
    "photographs": PRETRAINED["vit_small_patch16_224.dino"].config,
    "without a class token": DEMO.with_(pool="mean"),
    "without classes": DEMO.with_(classes=0),
    "with one head": DEMO.with_(heads=1),
}
ALL = {
    "overview": "light stages",
    "patch_grid": "patches sequence pixels sizes crop",
    "patch_embedding": "product filters components colours points",
    "position_embedding": "sum similarity answers swap",
    "query_key_value": "matrices scores softmax values output",
    "heads": "wall matrix pair",
    "depth": "rollout reach journey",
    "encoder_block": "stream norm activation similarity",
    "class_head": "lens scores token way",
    "intervene": "heads patches attention experiments everything tracing",
}
NO_CLASSES = {
    "position_embedding": "sum similarity",
    "class_head": "token result way",
    "intervene": "heads patches attention experiments",
}
NUMBERS = {
    "demo": ALL,
    "photographs": ALL | NO_CLASSES,
    "without a class token": ALL | {"depth": "rollout reach", "class_head": "lens scores way"},
    "without classes": ALL | NO_CLASSES,
    "with one head": ALL | {"heads": "wall matrix"},
}


@pytest.mark.parametrize("model", NUMBERS)
def test_every_number_is_the_moment_that_it_was(model: str) -> None:
    config = MODELS[model]
    for page, text in NUMBERS[model].items():
        before, names = text.split(), PAGES[page].moment_names(config)
        assert [moment_said(str(number), page, names) for number in range(1, len(before) + 1)] == before
        assert moment_said("9", page, names) == before[-1]
        after = before + [before[-1]] * (9 - len(before))
        assert [names[place] for place in places_of_numbers(page, names)] == after, "what the browser is told"


@pytest.mark.parametrize("config", MODELS.values(), ids=list(MODELS))
def test_a_moment_is_said_by_its_name(config: ViTConfig) -> None:
    for page in ON_BOARD:
        names = PAGES[page].moment_names(config)
        assert len(set(names)) == len(names)
        assert [moment_said(name, page, names) for name in names] == list(names)
        assert moment_said("", page, names) == names[0]
        assert [moment_said(text, page, names) for text in ("0", "10", "second", "-1", "1.0")] == [None] * 5


def test_a_page_without_moments_has_no_number_for_any() -> None:
    assert moment_said("2", "memory", ()) == moment_said("", "memory", ()) == ""
    assert moment_said("matrix", "memory", ()) is None


def test_a_moment_that_is_new_has_no_number_and_moves_none() -> None:
    names = ("wall", "new", "matrix", "pair")
    assert [moment_said(str(number), "heads", names) for number in (1, 2, 3, 9)] == ["wall", "matrix", "pair", "pair"]


def test_every_page_that_had_moments_has_some() -> None:
    assert [page for page in ON_BOARD if page in NUMBERED] == list(NUMBERED)


def test_another_model_is_seen_at_the_same_moment() -> None:
    bare = MODELS["without classes"]
    assert PAGES["class_head"].same_moment("way", DEMO, bare) == "way"
    assert PAGES["class_head"].same_moment("lens", DEMO, bare) == "token", "in the same place"
    assert PAGES["position_embedding"].same_moment("swap", DEMO, bare) == "similarity", "the last"
    assert PAGES["memory"].same_moment("", DEMO, bare) == ""


OLD = {
    "heads?patch=40&step=2": "heads?query=40&moment=matrix",
    "heads?query=7&patch=40&pinned=3": "heads?query=7",
    "heads?query=40&shows=is looked at by": "heads?query=40&shows=column",
    "patch_embedding?number=5": "patch_embedding?component=5",
    "encoder_block?moment=Layer norm": "encoder_block?moment=norm",
    "position_embedding?positions=shuffled": "position_embedding?placed=shuffled",
}


@pytest.mark.parametrize("old", OLD)
def test_app_lesson_and_command_line_read_an_old_link_alike(old: str) -> None:
    served = str(TestClient(OldLinks(Response())).get(f"/{old}").url).removeprefix("http://testserver/")
    assert from_link(served, PAGES) == from_link(old, PAGES) == from_link(OLD[old], PAGES)
    assert read_view(served) == read_view(old) == read_view(OLD[old])
