"""What the explorer sends and accepts, without a browser."""

import json
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from plotly import colors

from vitviz import palette
from vitviz.config import PRESETS, ViTConfig
from vitviz.ui.explorer import messages, state
from vitviz.ui.explorer.policy import Policy
from vitviz.ui.samples import samples
from vitviz.ui.selection import ModelChoice, Selection


def view_of(config: ViTConfig, sample: int = 0) -> Selection:
    """A view of a model that is never built."""
    return Selection(ModelChoice("any", config), list(samples().values())[sample])


def unpack(message: bytes) -> tuple:
    """Header and parts of a message, read as the browser reads them."""
    length = int.from_bytes(message[:4], "little")
    header, at, parts = json.loads(message[4 : 4 + length]), 4 + length, {}
    for name, size in header["parts"]:
        parts[name] = message[at : at + size]
        at += size
    assert at == len(message)
    return header, parts


def test_a_message_says_whose_it_is_and_gives_its_parts_back() -> None:
    view = view_of(PRESETS["demo"])
    header, parts = unpack(messages.pack(view, {"kind": "layer", "layer": 3}, {"code": b"abc", "more": b""}))
    assert header["digest"] == view.digest
    assert (header["kind"], header["layer"]) == ("layer", 3)
    assert parts == {"code": b"abc", "more": b""}


def test_every_model_and_every_picture_has_an_identity_of_its_own() -> None:
    configs = [PRESETS["demo"], PRESETS["demo"].with_(heads=8)]
    views = [view_of(config, sample) for config in configs for sample in (0, 1)]
    views.append(Selection(ModelChoice("any", PRESETS["demo"], seed=1), views[0].picture))
    views.append(Selection(ModelChoice("any", PRESETS["demo"], precision="bf16"), views[0].picture))
    assert len({view.digest for view in views}) == len(views)
    assert view_of(configs[0]).digest == views[0].digest


@pytest.mark.parametrize(
    ("config", "complete", "sendable", "layers"),
    [
        (PRESETS["demo"], True, True, [2, 1, 3, 0, 4, 5]),
        (PRESETS["vit_base_patch16_224"], True, True, [2, 1, 3, 0, 4, 5, 6, 7, 8, 9, 10, 11]),
        (PRESETS["vit_large_patch16_224"], True, True, [2, 1, 3, 0, 4]),
        (PRESETS["vit_base_patch16_224"].with_(image_size=384), False, True, [2, 3, 1]),
        (PRESETS["vit_base_patch16_224"].with_(image_size=518, patch_size=14), False, True, [2]),
        (PRESETS["vit_base_patch16_224"].with_(image_size=1024), False, False, []),
        (ViTConfig(image_size=24, patch_size=24, dim=8, depth=3, heads=1, mlp_dim=8, classes=1), True, True, [2, 1, 0]),
        (
            ViTConfig(image_size=24, patch_size=24, dim=8, depth=65, heads=1, mlp_dim=8, classes=1),
            False,
            True,
            [2, 3, 1],
        ),
    ],
)
def test_how_much_is_sent_follows_from_the_sizes(
    config: ViTConfig, complete: bool, sendable: bool, layers: list[int]
) -> None:
    policy = Policy.of(config)
    assert (policy.complete, policy.sendable) == (complete, sendable)
    assert policy.layers(2)[: len(layers)] == layers


def test_a_step_to_the_next_layer_sends_one_layer() -> None:
    policy = Policy.of(PRESETS["vit_base_patch16_224"].with_(image_size=384))
    places = [{policy.place(layer): layer for layer in policy.layers(looked_at)} for looked_at in range(12)]
    assert [len(place) for place in places] == [2, *10 * [3], 2]
    for before, after in pairwise(places):
        assert len(after.items() - before.items()) <= 1


def test_the_colours_are_those_of_the_server_drawn_figures() -> None:
    table = messages.colours()
    assert table.shape == (256, 3)
    scale = colors.get_colorscale(palette.WEIGHTS)
    for place in (0, 85, 128, 255):
        theirs = colors.unlabel_rgb(colors.sample_colorscale(scale, [place / 255])[0])
        assert np.abs(np.array(theirs) - table[place]).max() <= 1


def test_what_a_browser_sends_is_taken_over_as_far_as_the_model_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: dict[str, Any] = {}
    monkeypatch.setattr(state.st, "session_state", kept)
    view = view_of(PRESETS["deit_base_distilled_patch16_224"])
    state.take_over(view, {"layer": 11, "head": 0, "query": 1, "shows": "rollout", "scale": "own", "mean": True})
    assert kept == {
        "layer": 12,
        "head": 1,
        "query": "distillation",
        "query_by_hand": "distillation",
        "shows": "rollout",
        "scale": "own",
        "mean": True,
    }
    before = dict(kept)
    state.take_over(
        view,
        {"layer": 12, "head": -1, "query": 198, "shows": "<b>", "scale": None, "mean": 1, "pinned": "yes", "other": 1},
    )
    assert kept == before
    state.take_over(view, {"query": 2, "pinned": True})
    assert (kept["query"], kept["query_by_hand"], kept["pinned"]) == ("1", "1", True)


def test_an_echo_says_what_was_heard_last_and_by_which_python(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: dict[str, Any] = {}
    monkeypatch.setattr(state.st, "session_state", kept)
    view, gone = view_of(PRESETS["demo"]), view_of(PRESETS["demo"], 1)
    first = state.echo(view, {"layer": 2})
    assert (first["layer"], first["digest"], first["seq"]) == (2, view.digest, 0)
    state.receive(view, {"digest": view.digest, "seq": 4, "layer": 5})
    assert kept["layer"] == 6
    state.receive(view, {"digest": gone.digest, "seq": 5, "layer": 1})
    assert kept["layer"] == 6, "what is said of another picture is heard, and nothing more"
    for nonsense in (None, "seq", {"seq": "6"}, {"layer": 1}):
        state.receive(view, nonsense)
    assert kept["layer"] == 6
    second = state.echo(view, {"layer": 5})
    assert (second["seq"], second["session"]) == (5, first["session"])
    monkeypatch.setattr(state.st, "session_state", {})
    assert state.echo(view, {})["session"] != first["session"]
