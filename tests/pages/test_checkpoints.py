"""Models from files: every page works on every family; what is no checkpoint leaves the last model."""

import json
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from safetensors.torch import save as as_bytes
from streamlit.testing.v1 import AppTest

from tests.checkpoints import TIMM, google_arrays, save, shaken_state
from tests.pages.test_every_page import visit
from vitviz.config import ViTConfig
from vitviz.pretrained import PRETRAINED
from vitviz.ui import checkpoints
from vitviz.ui.chapters import ENTRIES
from vitviz.weights import WeightsError, hub

SMALL = TIMM.with_(dim=64, heads=1)
# what differs from the model of the paper: no classes; registers, layer scale, SwiGLU; input norm; no class token
FAMILIES = {
    "dinov2_giant": SMALL.with_(classes=0, registers=4, special_positions=False, layer_scale=True, activation="swiglu"),
    "clip": SMALL.with_(input_norm=True, patch_bias=False, epsilon=1e-5),
    "siglip": SMALL.with_(classes=0, pool="attention"),
}
PAGES = [entry for entry in ENTRIES if entry.forward or entry.stem in ("tensor_shapes", "parameters", "layer_table")]


def problems(app: AppTest) -> list[str]:
    return [error.value for error in (*app.exception, *app.error)]


def with_upload(*files: tuple[str, bytes]) -> AppTest:
    """The app with these files in its uploader."""
    app = visit(ENTRIES[0], model=checkpoints.FILE)
    for name, content in files:
        app.file_uploader(key="checkpoint_0").upload(name, content)
    return app.run()


@pytest.mark.parametrize("family", FAMILIES)
def test_every_page_works_on_every_family(family: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config: ViTConfig = FAMILIES[family]
    save(shaken_state(config), tmp_path / f"{family}.safetensors")
    monkeypatch.setenv(checkpoints.FOLDER, str(tmp_path))
    app = visit(ENTRIES[0], model=checkpoints.FILE)
    app.selectbox(key="server_file").set_value(f"{family}.safetensors").run()
    assert app.session_state["view"].config == config
    assert app.session_state["view"].trained
    found = {}
    for entry in PAGES:
        app.switch_page(f"../../pages/{entry.file}").run()
        if problems(app):
            found[entry.title] = problems(app)
    assert found == {}


def test_an_uploaded_file_is_shown_with_the_names_of_its_classes() -> None:
    card = {"num_attention_heads": 2, "id2label": dict(enumerate(["ant", "bee", "cat", "dog", "elk"]))}
    state = shaken_state(SMALL)
    app = with_upload(("mine.safetensors", as_bytes(state)), ("config.json", json.dumps(card).encode()))
    view = app.session_state["view"]
    assert problems(app) == []
    assert view.config == SMALL.with_(heads=2)
    assert view.labels == ("ant", "bee", "cat", "dog", "elk")
    assert np.array_equal(view.choice.load().model.norm.weight.cpu(), state["norm.weight"])


def test_an_uploaded_archive_is_shown() -> None:
    packed = BytesIO()
    np.savez(packed, **google_arrays(shaken_state(TIMM), heads=3))
    app = with_upload(("ViT.npz", packed.getvalue()))
    assert problems(app) == []
    assert app.session_state["view"].config == TIMM


def test_size_and_heads_of_a_file_can_be_changed_and_its_pictures_prepared_in_two_ways() -> None:
    app = with_upload(("mine.safetensors", as_bytes(shaken_state(SMALL))))
    size, heads = (next(it for it in app.number_input if it.label == label) for label in ("Image size", "Heads"))
    size.set_value(48)
    heads.set_value(4)
    app.segmented_control(key="preprocess").set_value("Hugging Face").run()
    view = app.session_state["view"]
    assert problems(app) == []
    assert view.config == SMALL.with_(image_size=48, heads=4)
    assert view.choice.load().preprocess.resize == "squash"
    assert view.crop.shape == (48, 48, 3)


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("x.safetensors", b"<html>", "is a web page"),
        ("x.npz", b"\x80\x04.", "not a NumPy archive but a PyTorch pickle"),
        ("x.safetensors", as_bytes(shaken_state(SMALL))[:-9], "not a whole safetensors file"),
        ("x.safetensors", as_bytes({"![x](http://a.b)": shaken_state(SMALL)["norm.bias"]}), r"\!\[x\](http\://a.b)"),
    ],
)
def test_what_is_no_checkpoint_is_explained_and_the_last_model_stays(name: str, content: bytes, sentence: str) -> None:
    app = with_upload((name, content))
    assert [error.value for error in app.exception] == []
    assert sentence in app.error[0].value
    assert app.error[0].value.endswith("The last model stays.")
    assert app.session_state["view"].choice.name == "demo"


def test_numbers_that_are_none_leave_the_last_model() -> None:
    state = shaken_state(SMALL)
    state["head.bias"][2] = float("nan")
    app = with_upload(("x.safetensors", as_bytes(state)))
    assert "head.bias holds infinite numbers" in app.error[0].value
    assert app.session_state["view"].choice.name == "demo"


def test_a_published_model_that_cannot_be_fetched_is_explained_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def fetch(name: str, progress: hub.Progress) -> Path:
        asked.append(name)
        raise WeightsError("out of reach")

    monkeypatch.setattr(hub, "fetch", fetch)
    monkeypatch.setattr(hub, "local", lambda name: None)
    name = "vit_tiny_patch16_224.augreg_in21k_ft_in1k"
    app = visit(ENTRIES[0], model=name)
    assert [error.value for error in app.error] == ["out of reach. The last model stays."]
    app.run()
    assert asked == [name]
    app.button(key="download_again").click().run()
    assert asked == [name, name]
    assert app.session_state["view"].choice.name == "demo"


def test_a_published_model_is_fetched_and_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "vit_tiny_patch16_224.augreg_in21k_ft_in1k"
    path = save(shaken_state(PRETRAINED[name].config), tmp_path / "model.safetensors")

    def fetch(name: str, progress: hub.Progress) -> Path:
        progress(path.stat().st_size, path.stat().st_size)
        return path

    monkeypatch.setattr(hub, "fetch", fetch)
    monkeypatch.setattr(hub, "local", lambda name: None)
    view = visit(ENTRIES[0], model=name).session_state["view"]
    assert (view.choice.name, view.trained, view.labels[281]) == (name, True, "tabby")
