"""Fetching a published model inside the app, from a hub on this machine, while the last model stays on screen."""

import json
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.checkpoints import save, shaken_state
from tests.pages.app import healthy, problems, shown, visit, words
from tests.unit.weights.hub.service import PIECE, Service, Trouble, serving
from vitviz.config import OWN, PRESETS
from vitviz.pages import PAGES
from vitviz.pretrained import PRETRAINED
from vitviz.selection import ModelChoice
from vitviz.ui.sidebar.models import listed
from vitviz.ui.sidebar.models.published import _how_far
from vitviz.weights import hub
from vitviz.weights.hub import downloads, fetching

NAME = "vit_tiny_patch16_224.augreg_in21k_ft_in1k"


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """A hub that has ViT-Tiny, with other parameters."""
    monkeypatch.setattr(fetching, "PAUSE", 0.0)
    monkeypatch.setattr(downloads, "_DOWNLOADS", downloads._Downloads())
    with serving(tmp_path, monkeypatch, PRETRAINED[NAME].config) as service:
        service.files["config.json"] = b"{}"
        yield service


def ended() -> BaseException | None:
    """How the download ended."""
    download = hub.latest(NAME)
    assert download
    return download.path.exception(timeout=60)


def pressed(app: AppTest, key: str) -> AppTest:
    """The app after a click on a button."""
    return app.button(key=key).click().run()


def facts(app: AppTest) -> dict[str, Any]:
    """What the board's scene is told."""
    (board,) = (it.proto for it in app.get("bidi_component") if it.proto.component_name == "vitviz.data")
    told: dict[str, Any] = json.loads(board.json)[0]["facts"]
    return told


def keys(app: AppTest) -> set[str | None]:
    """The buttons on screen."""
    return {button.key for button in app.button}


def test_one_click_fetches_a_model_and_the_last_one_stays_meanwhile(server: Service) -> None:
    server.trouble = Trouble(gate=Event())
    app = pressed(visit(model=NAME), "fetch-here")
    assert shown(app).model.name == "demo"
    assert problems(app) == []
    assert "cancel" in keys(app)
    assert not {"fetch", "fetch-here"} & keys(app)
    assert server.trouble.gate
    server.trouble.gate.set()
    assert ended() is None
    assert shown(healthy(app.run())).model.name == NAME
    assert "cancel" not in keys(app)
    assert server.gets == [0]


def test_two_visitors_share_a_download_and_one_who_cancels_does_not_end_it(server: Service) -> None:
    server.trouble = Trouble(gate=Event())
    one, other = pressed(visit(model=NAME), "fetch"), visit(model=NAME)
    assert "fetch" not in keys(other)
    download = hub.latest(NAME)
    assert download
    download.waiting.add("the other")  # AppTest has one session for all
    assert one.run().button(key="cancel").label == "Stop waiting; others go on"
    pressed(one, "cancel")
    assert download.waiting == {"the other"}
    assert server.trouble.gate
    server.trouble.gate.set()
    assert ended() is None
    assert [shown(app.run()).model.name for app in (one, other)] == [NAME, NAME]
    assert server.gets == [0]


def test_what_was_cancelled_is_offered_as_the_rest_and_goes_on_from_there(server: Service) -> None:
    server.trouble = Trouble(gate=Event())
    app = pressed(visit(model=NAME), "fetch")
    download = hub.latest(NAME)
    assert download
    while not download.done:
        assert not download.path.done()
    pressed(app, "cancel")
    assert server.trouble.gate
    server.trouble.gate.set()
    assert ended() is not None
    app.run()
    assert app.error.values == []
    assert app.button(key="fetch").label == "ViT-Tiny/16 knows 1,000 classes: fetch it, the rest of 23 MB, Apache-2.0"
    pressed(app, "fetch")
    assert ended() is None
    assert server.gets[0] == 0
    assert server.gets[1] >= PIECE
    assert shown(healthy(app.run())).model.name == NAME


def test_what_goes_wrong_is_a_sentence_and_one_click_leads_back(server: Service) -> None:
    server.trouble = Trouble(refusal=(429, ""))
    app = pressed(visit(model=NAME), "fetch")
    assert ended()
    (error,) = app.run().error.values
    assert "too many requests from this network" in error
    assert error.endswith("You still see **demo**.")
    pressed(app, "stay")
    assert shown(healthy(app)).model.name == "demo"
    assert app.session_state["model"] == "demo"


def test_another_model_under_a_known_name_is_refused(server: Service, tmp_path: Path) -> None:
    other = PRETRAINED[NAME].config.with_(depth=2)
    server.files["model.safetensors"] = save(shaken_state(other), tmp_path / "other.safetensors").read_bytes()
    app = pressed(visit(model=NAME), "fetch")
    assert ended() is None
    (error,) = app.run().error.values
    assert "2 blocks of dim 192 on patches of 16 and 1,000 classes, where that has 12 blocks" in error
    assert shown(app).model.name == "demo"
    assert "again" in keys(app)


def test_a_model_without_classes_leads_to_one_that_has_some(server: Service) -> None:
    app = visit("class_head", model=OWN, classes="0")
    offer = "ViT-Tiny/16 knows 1,000 classes: fetch it, 23 MB, Apache-2.0"
    assert app.button(key="with-classes").label == offer
    assert facts(app)["with_classes"] == offer  # on the board
    assert facts(visit("overview", model="photo", sample="coffee"))["with_classes"] == offer
    assert facts(visit("overview"))["with_classes"] == ""
    for stem, key in (("gradients", "with-gradients"), ("chance", "with-answers")):
        assert visit(stem, model="photo", sample="coffee").button(key=key).label == offer
    assert server.gets == []  # nothing is fetched unasked
    pressed(app, "with-classes")
    assert ended() is None
    assert shown(healthy(app.run())).model.name == NAME


def test_a_model_moves_in_the_list_when_it_has_been_fetched(server: Service) -> None:
    here, to_fetch = "Knows photographs, here", "Knows photographs, to fetch"
    before = listed.listed()
    assert before.index(NAME) > before.index(to_fetch)
    hub.fetch(NAME, lambda done, total: None)
    after = listed.listed()
    assert after.index(here) < after.index(NAME) < after.index(to_fetch)
    assert sorted({*after} - {here}) == sorted({*before} - {here})
    assert {*after} - {*listed.HEADINGS} == {*listed.CHOICES}


def test_untrained_models_say_so_in_the_list_and_headings_choose_nothing() -> None:
    app = visit("heads")
    options = app.selectbox(key="model_shown").options
    untrained = options[options.index("── Untrained, for counting ──") + 1 :]
    assert "vit_base_patch16_224 (untrained)" in untrained
    assert all(option.endswith("(untrained)") for option in untrained)
    assert not [option for option in options if option.endswith("(untrained)") and option not in untrained]
    app.selectbox(key="model_shown").set_value("Your own").run()
    assert shown(healthy(app)).model.name == "demo"
    assert app.query_params == {}


def test_the_page_of_the_server_says_which_models_are_here(server: Service) -> None:
    row = f"ViT-Tiny/16{NAME}{{}}23MBApache-2.0"
    assert row.format("tofetch") in "".join(words(visit("status")).split())
    hub.fetch(NAME, lambda done, total: None)
    assert row.format("here") in "".join(words(visit("status")).split())


def test_neighbours_of_an_untrained_model_are_not_said_to_be_alike() -> None:
    page, config = PAGES["position_embedding"], PRESETS["demo"]
    _, alike, *_ = page.moments(config)
    assert page.headline(alike, config).startswith("Neighbours learn similar {positions}")
    assert page.headline(alike, config, untrained=True).startswith("Untrained, no {position} is like another")


def test_the_answer_of_an_untrained_model_is_not_said_to_grow() -> None:
    page, config = PAGES["class_head"], PRESETS["demo"]
    trained, untrained = ([page.headline(it, config, how) for it in page.moments(config)] for how in (False, True))
    assert trained[0] == "The answer grows: what the head would say after every layer."
    assert untrained[0].startswith("Untrained, it answers at random")
    assert trained[1:] == untrained[1:]
    for name in listed.UNTRAINED:
        assert ModelChoice(name, PRESETS["demo"]).untrained
    for name in (*listed.TRAINED_HERE, "photo"):
        assert not ModelChoice(name, PRESETS["demo"]).untrained
    app = visit("class_head", model="vit_tiny_patch16_224")
    assert "Untrained, it answers at random" in "".join(element.proto.json for element in app.get("bidi_component"))


@pytest.mark.parametrize(
    ("done", "seconds", "said"),
    [
        (8_000_000, 4.0, "8.0 MB of 24.0 MB, about 16 s left"),
        (5_000_000, 10.0, "5.0 MB of 24.0 MB, about 3 min left"),
        (8_000_000, 0.1, "8.0 MB of 24.0 MB"),
    ],
)
def test_bytes_and_time_left_are_said(done: int, seconds: float, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("vitviz.weights.hub.downloads.time.monotonic", lambda: now)
    download = hub.Download(NAME, waiting={"anna"})
    assert _how_far(download) == "asking for it"
    download.tell(4_000_000, 24_000_000)
    now += seconds
    download.tell(done, 24_000_000)
    assert _how_far(download) == said
