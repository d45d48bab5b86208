"""What the board is sent, without a browser: parcels, which of them, and the selection of an address."""

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import streamlit as st
from plotly import colors
from vitviz.pages.laboratory.intervene import scene as intervene

from vitviz.addresses.old import translated
from vitviz.addresses.place import STRONGEST
from vitviz.board import scene
from vitviz.board.scene import attention_maps, rollouts
from vitviz.config import PRESETS, ViTConfig
from vitviz.images import Crop
from vitviz.pages import PAGES
from vitviz.samples import samples
from vitviz.scripts.parcels import pack
from vitviz.scripts.sizes import weights_scale
from vitviz.selection import Checkpoint, ModelChoice, Selection
from vitviz.ui.board import address, numbers

LARGE = PRESETS["vit_base_patch16_224"]
DISTILLED = PRESETS["deit_base_distilled_patch16_224"]


def selection_of(config: Any, sample: Any = 0) -> Any:
    """A picture and a model that is never built."""
    return Selection(ModelChoice("any", config), list(samples().values())[sample])


def unpack(parcel: Any) -> Any:
    """Digest, name and arrays of a parcel, read as the browser reads them."""
    length = int.from_bytes(parcel[:4], "little")
    header, at, arrays = json.loads(parcel[4 : 4 + length]), 4 + length, {}
    for it in header["arrays"]:
        kind = np.dtype({"u1": "u1", "i1": "i1", "i4": "<i4", "f2": "<f2", "f4": "<f4"}[it["type"]])
        arrays[it["name"]] = np.frombuffer(parcel[at : at + it["length"]], kind).reshape(it["shape"])
        at += it["length"]
    assert at == len(parcel)
    return header["digest"], header["name"], arrays


def test_messages_are_kept_of_what_nobody_brought() -> None:
    all_have = selection_of(LARGE)
    mine = replace(all_have.picture, id="own")
    file = replace(all_have.model, checkpoint=Checkpoint("mine.safetensors", (1,)))
    assert numbers.for_all(all_have)
    assert numbers.for_all(replace(all_have, donor=all_have.picture))
    assert not numbers.for_all(replace(all_have, picture=mine))
    assert not numbers.for_all(replace(all_have, donor=mine))
    assert not numbers.for_all(replace(all_have, model=file))


def test_a_parcel_says_whose_it_is_and_gives_its_arrays_back() -> None:
    sent: dict[str, np.ndarray] = {
        "code": np.arange(6, dtype=np.uint8).reshape(2, 3),
        "rows": np.array([[0.5, -2]], np.float32)[:, ::-1],
        "lines": np.array([], np.int32),
        "colours": np.array([1 / 3], np.float16),
    }
    digest, name, arrays = unpack(pack("whose", "maps-3", sent))
    assert (digest, name) == ("whose", "maps-3")
    for key, array in sent.items():
        np.testing.assert_array_equal(arrays[key], array)
    with pytest.raises(KeyError):
        pack("whose", "maps-3", {"doubles": np.zeros(2)})


def test_every_model_and_every_picture_has_an_identity_of_its_own() -> None:
    configs = [PRESETS["demo"], PRESETS["demo"].with_(heads=8)]
    selections = [selection_of(config, sample) for config in configs for sample in (0, 1)]
    selections.append(Selection(ModelChoice("any", PRESETS["demo"], seed=1), selections[0].picture))
    selections.append(Selection(ModelChoice("any", PRESETS["demo"], precision="bf16"), selections[0].picture))
    selections += [replace(selections[0], crop=Crop(0, 0, side)) for side in (999, 1000)]
    assert len({selection.digest for selection in selections}) == len(selections)
    assert selection_of(configs[0]).digest == selections[0].digest


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that reads an address, as `read(config, "heads", layer="3")`."""

    def read(config: Any, page: str = "", **asked: Any) -> Any:
        monkeypatch.setattr(st, "query_params", SimpleNamespace(to_dict=lambda: asked))
        return address.read(config, page)

    return read


@pytest.mark.parametrize(
    ("config", "sent"),
    [
        (PRESETS["demo"], ["maps-2", "maps-1", "maps-3", "maps-0", "maps-4", "maps-5"]),
        (LARGE, [f"maps-{layer}" for layer in (2, 1, 3, 0, 4, 5, 6, 7, 8, 9, 10, 11)]),
        (LARGE.with_(image_size=384), ["rows-4", "maps-2", "maps-3", "maps-1"]),
        (LARGE.with_(image_size=518, patch_size=14), ["rows-4", "maps-2"]),
        (LARGE.with_(image_size=1024), ["rows-4"]),
        (
            ViTConfig(image_size=48, patch_size=24, dim=8, depth=3, heads=1, mlp_dim=8, classes=1),
            ["maps-2", "maps-1", "maps-0"],
        ),
    ],
)
def test_how_much_attention_is_sent_follows_from_the_sizes(config: Any, sent: Any, read: Any) -> None:
    at = read(config, layer="3", query="4")
    assert [name for name, _ in attention_maps(selection_of(config), at)] == sent
    (name,) = [name for name, _ in rollouts(selection_of(config), at)]
    assert name == ("rollout-4" if config.tokens > 500 else "rollouts")


def test_the_colours_are_those_of_the_server_drawn_figures() -> None:
    table = np.array(weights_scale()).reshape(256, 3)
    scale = colors.get_colorscale("Viridis")
    for place in (0, 85, 128, 255):
        theirs = colors.unlabel_rgb(colors.sample_colorscale(scale, [place / 255])[0])
        assert np.abs(np.array(theirs) - table[place]).max() <= 1


def test_old_links_ask_for_the_same_view(read: Any) -> None:
    old = {"layer": "3", "head": "2", "query": "40", "shows": "is looked at by", "scale": "per head", "mean": "true"}
    at = read(PRESETS["demo"], **today(pinned="true", **old))
    assert (at.layer, at.head, at.query, at.key) == (2, 1, 40, STRONGEST)
    assert {name: at.switches[name] for name in ("shows", "scale", "mean")} == {
        "shows": "column",
        "scale": "own",
        "mean": "1",
    }
    assert read(PRESETS["demo"], **today(shows="looks at")).switches["shows"] == "row"
    assert read(PRESETS["demo"], **today(patch="7", number="3")).query == 7
    assert read(PRESETS["demo"], **today(patch="7", query="9")).query == 9, "the new name wins"
    assert read(PRESETS["demo"], **today(number="3")).component == 2
    assert read(PRESETS["demo"], "encoder_block", **today(step="Activation")).moment == "activation"


def today(**link: str) -> dict[str, str]:
    """The parameters of an old link as the server hands them on."""
    return dict(translated(list(link.items())))


def test_tokens_without_a_place_are_asked_for_by_name(read: Any) -> None:
    assert read(DISTILLED, query="distillation", key="class").query == 1
    assert read(DISTILLED, query="distillation", key="class").key == 0
    assert read(DISTILLED, query="1").query == 2


def test_what_the_model_does_not_have_is_as_it_starts(read: Any) -> None:
    start = read(PRESETS["demo"])
    assert read(PRESETS["demo"], layer="7", head="0", query="145", key="x", shows="<b>", through="9") == start


def test_a_model_of_one_head_has_no_second_one_to_compare() -> None:
    one = ViTConfig(image_size=48, patch_size=24, dim=8, depth=3, heads=1, mlp_dim=8, classes=1)
    assert PAGES["heads"].moment_names(one) == ("wall", "matrix")
    assert PAGES["heads"].moment_names(PRESETS["demo"]) == ("wall", "matrix", "pair")


@pytest.mark.parametrize(
    ("config", "sent"),
    [
        (PRESETS["demo"], ["way", *(f"maps-{layer}" for layer in range(6))]),
        (LARGE.with_(image_size=384), ["way-39", "rows-40", "rows-0"]),
    ],
)
def test_the_end_asks_for_what_the_way_of_a_patch_needs_and_no_other_moment_does(
    read: Any, config: ViTConfig, sent: list[str]
) -> None:
    page, selection = PAGES["class_head"], selection_of(config)
    names, before = (
        [name for name, _ in scene.parcels(page, selection, read(config, "class_head", moment=moment, query="40"))]
        for moment in ("way", "token")
    )
    assert names == [*before, *sent]


def test_the_dials_begin_at_what_the_model_is_built_with() -> None:
    usual = {"score_scale": None, "top_k": None, "window": None, "positions": "learned"}
    built = ViTConfig()
    assert intervene.own(built) == usual
    assert intervene.own(built.with_(score_scale=1.0)) == usual | {"score_scale": 1.0}
    assert intervene.own(built.with_(attention="top_k")) == usual | {"top_k": built.top_k}
    assert intervene.own(built.with_(attention="window")) == usual | {"window": built.window}
    assert intervene.own(built.with_(positions="none")) == usual | {"positions": "none"}
