"""What stands before the first block is there before the forward pass of a model that takes a while."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.engine_calls import GO, fresh_calls, hold, wait_for  # noqa: F401
from tests.pages.app import healthy, inline_only, numbers_sent, shown, told, trace, turn_to, visit
from vitviz import forward
from vitviz.engine import Engine, Request
from vitviz.images import open_image
from vitviz.machine.device import DeviceError
from vitviz.measures import tokens
from vitviz.samples import samples
from vitviz.ui.board import component
from vitviz.ui.server import client

pytestmark = [inline_only, pytest.mark.usefixtures("fresh_calls")]


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    """An engine whose larger work waits until the test says go."""
    engine = Engine()
    monkeypatch.setattr(client, "_engine", cache(lambda: engine))
    held = engine.submit(Request(hold, ("the lane",), takes_a_while=True))
    wait_for(engine, "hold")
    yield engine
    GO.set()
    held.result(60)


def sent(app: AppTest) -> dict[str, Any]:
    """The numbers that the board asks for, of the model and picture that it was told of."""
    (message,) = told(app)
    assert not message["ahead"]
    return {name: arrays for (_, name), arrays in numbers_sent(app).items()}


def test_patches_and_positions_of_a_photograph_wait_for_no_pass_of_its_model(busy: Engine) -> None:
    app = healthy(visit("patch_grid", model="photo", sample="coffee"))
    here = {stem: sent(healthy(turn_to(app, stem))) for stem in ("patch_grid", "patch_embedding", "position_embedding")}
    assert "run_forward" not in busy.status().computed
    assert busy.status().running == ("hold",)
    GO.set()
    passed = trace(shown(app))
    assert np.array_equal(here["patch_grid"]["patches"]["normalised"], tokens.embedded(passed, "patches"))
    assert np.array_equal(here["patch_embedding"]["projection"]["tokens"], tokens.projection(passed).tokens)
    added = here["position_embedding"]["added"]
    first = len(passed.config.prefix_tokens)
    assert np.array_equal(added["sum"], tokens.placed_tokens(passed)[first:])
    assert {"opening", "filter-components", "token-colours"} <= set(here["patch_embedding"])
    assert {"opening", "position-maps"} <= set(here["position_embedding"])


def test_who_goes_on_to_heads_waits_in_turn_with_the_picture_on_the_board(
    busy: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, said, words = list[tuple[str, bool]](), list[str](), client._words

    def saying(*of: Any) -> str:
        said.append(words(*of))
        if said[-1]:
            GO.set()
        return said[-1]

    def drawing(entry: Any, selection: Any) -> None:
        told.append((entry.stem, GO.is_set()))
        early(entry, selection)

    app = healthy(visit("patch_grid", model="photo", sample="coffee"))
    early = component.draw_seen
    monkeypatch.setattr(component, "draw_seen", drawing)
    monkeypatch.setattr(client, "_words", saying)
    maps = sent(healthy(turn_to(app, "heads")))
    assert told == [("heads", False)]
    assert said[0].startswith("You are number 2 in the queue, about ")
    assert [name for name in maps if name.startswith("maps-")] == [f"maps-{layer}" for layer in range(12)]
    assert busy.status().computed["run_forward"] == 1
    assert not healthy(turn_to(app, "depth")).warning
    assert len(told) == 1, "what is here is drawn once"


def test_a_picture_that_no_pass_can_be_made_of_is_begun_once_and_leaves_what_was_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(forward, "run_forward", run_no_tabby)
    app = healthy(visit("heads", model="photo", sample="coffee"))
    before = shown(app)
    app.pills(key="sample").set_value("tabby").run()
    for _ in range(2):
        assert [it.value for it in app.error] == ["there is no room for it. The previous model is still shown."]
        assert (shown(app).model.name, shown(app).picture.id) == ("photo", "coffee")
        app.run()
    assert shown(app) == before
    assert not healthy(turn_to(app, "patch_grid")).warning
    assert shown(app).picture.id == "tabby", "its patches can be seen"


REAL = forward.run_forward


def run_no_tabby(loaded: Any, begun: Any, *of: Any) -> Any:
    """`run_forward` of a device that has no room for one of the samples."""
    if np.array_equal(begun.info.crop, loaded.preprocess.crop(open_image(samples()["tabby"].data))):
        raise DeviceError("there is no room for it")
    return REAL(loaded, begun, *of)
