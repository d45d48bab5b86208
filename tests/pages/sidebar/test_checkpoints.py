"""Models from files: every page works on every family; what is no checkpoint leaves the last model."""

import json
import re
from pathlib import Path
from threading import Event, current_thread
from typing import Any

import huggingface_hub
import numpy as np
import pytest
from huggingface_hub import constants, errors

from tests.checkpoints import TIMM, save, shaken_state
from tests.pages.app import inline_only, problems, turn_to, visit
from vitviz import results, weights
from vitviz.config import ViTConfig
from vitviz.model import ViT
from vitviz.numbers import exact
from vitviz.pages import PAGES
from vitviz.pretrained import PRETRAINED
from vitviz.ui.sidebar import checkpoints
from vitviz.weights import hub
from vitviz.weights.hub import downloads, fetching

SMALL = TIMM.with_(dim=64, heads=1)
# what differs from the model of the paper: no classes; registers, layer scale, SwiGLU; input norm; no class token
FAMILIES = {
    "dinov2_giant": SMALL.with_(classes=0, registers=4, prefix_positions=False, layer_scale=True, activation="swiglu"),
    "clip": SMALL.with_(input_norm=True, patch_bias=False, epsilon=1e-5),
    "siglip": SMALL.with_(classes=0, pool="attention"),
}
NAME = "vit_tiny_patch16_224.augreg_in21k_ft_in1k"
READ = [
    entry for entry in PAGES.values() if entry.forward or entry.stem in ("tensor_shapes", "parameters", "layer_table")
]


@pytest.fixture(scope="module", params=FAMILIES)
def walk(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[ViTConfig, dict[str, str]]:
    """A family's sizes, and the captions, sentences and formulas of every page and of every step of the block."""
    config, folder = FAMILIES[request.param], tmp_path_factory.mktemp("models")
    save(shaken_state(config), folder / "model.safetensors")
    found: dict[str, list[str]] = {}
    said: dict[str, str] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(checkpoints.FOLDER, str(folder))
        app = visit(model=checkpoints.FILE)
        app.selectbox(key="server_file").set_value("model.safetensors").run()
        assert app.session_state["selection"].config == config
        assert results.trained(app.session_state["selection"])
        for entry in READ:
            steps = entry.moment_names(config) if entry.stem == "encoder_block" else (entry.stem,)
            for name in steps:
                found[name], said[name] = [], ""
                for drawer in ("details", "formula") if entry.on_board else ("",):
                    app.query_params.update({"open": drawer, "moment": name if name != entry.stem else ""})
                    found[name] += problems(turn_to(app, entry.stem))
                    elements = (*app.main.markdown, *app.main.caption, *app.main.latex)
                    said[name] += " ".join(element.value for element in elements)
    assert {name: those for name, those in found.items() if those} == {}
    return config, said


def test_every_page_works_on_every_family_and_speaks_of_its_own_tokens(walk: tuple[ViTConfig, dict[str, str]]) -> None:
    config, said = walk
    named = {name for name, text in said.items() if re.search(r"\[class\]|(?<!no )class token|text\{class\}", text)}
    if "class" in config.prefix_tokens:
        assert {"position_embedding", "depth", "norm"} <= named
    else:
        assert named == set()


def test_only_tokens_with_a_position_have_a_row_in_the_table(walk: tuple[ViTConfig, dict[str, str]]) -> None:
    config, said = walk
    text = said["position_embedding"]
    if config.prefix_tokens and config.prefix_positions:
        assert "17 × 64 = 1,088 parameters: one row per token, [class] first." in text
        assert "Left out, having no place on the grid: [class]." in text
    else:
        assert "16 × 64 = 1,024 parameters: one row per patch." in text
        assert "Left out" not in text
    assert (r"0 \\ E_" in text) == (not config.prefix_positions)
    assert ("with no <span" in text) == (not config.prefix_positions)
    assert (r"z_0 = \operatorname{LN}(s)" in text) == config.input_norm
    assert ("E + b" in text) == config.patch_bias


def test_the_formula_of_a_block_gives_its_numbers(walk: tuple[ViTConfig, dict[str, str]]) -> None:
    config, said = walk
    d, m = config.dim, config.mlp_dim
    sizes = {"dm": d * m, "d^2": d * d, "d": d, "m": m}
    parts = re.findall(r"underbrace\{(.*?)\}_", said["parameters"])
    terms = re.findall(r"(\d?)(d\^2|dm|d|m)", " ".join(parts))
    total = sum(int(factor or 1) * sizes[name] for factor, name in terms)
    block = ViT(config).blocks[0]
    assert total == sum(parameter.numel() for parameter in block.parameters())
    assert f"= {exact(total)} ".replace(",", "{,}") in said["parameters"]


def test_the_steps_of_the_block_are_those_of_its_family(walk: tuple[ViTConfig, dict[str, str]]) -> None:
    config, said = walk
    assert f"+ {np.format_float_positional(config.epsilon)}}}}} " in said["norm"]
    assert (r"\operatorname{SwiGLU}" in said["activation"]) == (config.activation == "swiglu")
    assert ("40 gates" in said["activation"]) == (config.activation == "swiglu")
    assert (r"\gamma_1 \odot" in said["stream"]) == config.layer_scale
    assert ("layer scales" in said["stream"]) == config.layer_scale


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files asked of a hub that is out of reach until `NAME` is put into its cache."""
    asked = []

    def get_hf_file_metadata(url: str) -> None:
        asked.append(url.rpartition("/")[2])
        raise errors.LocalEntryNotFoundError("offline")

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(huggingface_hub, "get_hf_file_metadata", get_hf_file_metadata)
    monkeypatch.setattr(downloads, "_DOWNLOADS", downloads._Downloads())
    return asked


def last_download() -> hub.Download:
    download = hub.latest(NAME)
    assert download
    return download


def cached() -> Path:
    """`NAME` with random parameters, where the Hub's client keeps what it downloaded."""
    folder = Path(constants.HF_HUB_CACHE) / f"models--{PRETRAINED[NAME].repository.replace('/', '--')}"
    (folder / "refs").mkdir(parents=True)
    (folder / "refs" / "main").write_text("0" * 40, encoding="utf-8")
    (folder / "snapshots" / ("0" * 40)).mkdir(parents=True)
    return save(shaken_state(PRETRAINED[NAME].config), folder / "snapshots" / ("0" * 40) / hub.WEIGHTS)


def test_a_published_model_is_not_fetched_before_somebody_says_so(asked: list[str]) -> None:
    app = visit(model=NAME)
    app.run()
    assert asked == []
    assert problems(app) == []
    assert app.button(key="fetch").label == "ViT-Tiny/16 knows 1,000 classes: fetch it, 23 MB, Apache-2.0"
    assert any("Apache-2.0, 23 MB" in caption.value for caption in app.sidebar.caption)
    assert app.session_state["selection"].model.name == "demo"


def test_a_download_that_fails_is_explained_and_can_be_tried_again(asked: list[str]) -> None:
    app = visit(model=NAME)
    for attempt in (1, 2):
        app.button(key="fetch").click().run()
        assert last_download().path.exception(timeout=60)
        app.run()
        app.run()
        assert asked == attempt * [hub.WEIGHTS]
        (error,) = app.error
        assert "the Hugging Face Hub is out of reach" in error.value
        assert app.session_state["selection"].model.name == "demo"


def test_the_last_model_stays_while_a_download_is_under_way(
    asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrived = Event()

    def fetch(name: str, progress: hub.Progress) -> Path:
        progress(7_000_000, 23_000_000)
        arrived.wait(timeout=60)
        return cached()

    monkeypatch.setattr(fetching, "fetch", fetch)
    app = visit(model=NAME)
    app.button(key="fetch").click().run()
    assert app.session_state["selection"].model.name == "demo"
    assert "fetch" not in [button.key for button in app.button]
    arrived.set()
    last_download().path.result(timeout=60)
    selection = app.run().session_state["selection"]
    assert (selection.model.name, results.trained(selection), results.labels(selection)[281]) == (NAME, True, "tabby")


def test_a_published_model_that_is_here_is_shown_without_asking(asked: list[str]) -> None:
    cached()
    app = visit(model=NAME)
    assert app.session_state["selection"].model.name == NAME
    assert asked == []


def test_a_damaged_file_in_the_cache_is_explained_and_can_be_fetched_again(asked: list[str]) -> None:
    path = cached()
    path.write_bytes(path.read_bytes()[:10_000])
    app = visit(model=NAME)
    assert not app.exception
    (error,) = app.error
    assert error.value.endswith("The previous model is still shown.")
    assert app.session_state["selection"].model.name == "demo"
    assert asked == []
    app.button(key="again").click().run()
    assert last_download().path.exception(timeout=60)
    assert asked == [hub.WEIGHTS]
    assert not path.exists()


def test_sizes_alone_are_no_model_to_fall_back_on(asked: list[str]) -> None:
    app = visit("tensor_shapes", model=NAME)
    assert app.session_state["selection"].config == PRETRAINED[NAME].config
    turn_to(app, "overview")
    assert app.session_state["selection"].model.name == "demo"


def test_a_new_card_beside_the_same_file_is_heeded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(shaken_state(SMALL), tmp_path / "mine.safetensors")
    monkeypatch.setenv(checkpoints.FOLDER, str(tmp_path))
    app = visit(model=checkpoints.FILE)
    app.selectbox(key="server_file").set_value("mine.safetensors").run()
    before = results.labels(app.session_state["selection"])
    names = ["ant", "bee", "cat", "dog", "elk"]
    (tmp_path / "config.json").write_text(json.dumps({"id2label": dict(enumerate(names))}), encoding="utf-8")
    assert before != results.labels(app.run().session_state["selection"]) == tuple(names)


@inline_only
def test_a_file_is_looked_at_in_the_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(shaken_state(SMALL), tmp_path / "mine.safetensors")
    monkeypatch.setenv(checkpoints.FOLDER, str(tmp_path))
    threads, look = set(), weights.inspect

    def inspect(*args: Any, **kwargs: Any) -> object:
        threads.add(current_thread().name.partition("_")[0])
        return look(*args, **kwargs)

    monkeypatch.setattr(weights, "inspect", inspect)
    app = visit(model=checkpoints.FILE)
    app.selectbox(key="server_file").set_value("mine.safetensors").run()
    assert app.session_state["selection"].config == SMALL
    assert threads == {"engine"}
