"""A file of one's own in the uploader: shown whole, or explained in one sentence while the last model stays."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.torch import save as as_bytes
from streamlit.testing.v1 import AppTest

from tests.checkpoints import TIMM, google_arrays, shaken_state
from tests.hostile_files import safetensors
from tests.pages.app import loaded, problems, visit
from vitviz import results
from vitviz.ui.sidebar import checkpoints, own_folder

SMALL = TIMM.with_(dim=64, heads=1)
WHOLE = as_bytes(shaken_state(SMALL))
HALF = b'"\\ud800":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}'  # of a letter


def with_upload(*files: tuple[str, bytes]) -> AppTest:
    """The app with these files in its uploader."""
    app = visit(model=checkpoints.FILE)
    for name, content in files:
        app.file_uploader(key="checkpoint_0").upload(name, content)
    return app.run()


def test_an_uploaded_file_is_shown_with_the_names_of_its_classes() -> None:
    card = {"num_attention_heads": 2, "id2label": dict(enumerate(["ant", "bee", "cat", "dog", "elk"]))}
    state = shaken_state(SMALL)
    app = with_upload(("mine.safetensors", as_bytes(state)), ("config.json", json.dumps(card).encode()))
    selection = app.session_state["selection"]
    assert problems(app) == []
    assert selection.config == SMALL.with_(heads=2)
    assert results.labels(selection) == ("ant", "bee", "cat", "dog", "elk")
    assert np.array_equal(loaded(selection).model.get_parameter("norm.weight").cpu(), state["norm.weight"])


def test_an_uploaded_archive_is_shown() -> None:
    packed = BytesIO()
    np.savez(packed, **google_arrays(shaken_state(TIMM), heads=3))
    app = with_upload(("ViT.npz", packed.getvalue()))
    assert problems(app) == []
    assert app.session_state["selection"].config == TIMM.with_(activation="gelu_tanh")


def test_the_size_of_a_file_can_be_changed_and_its_pictures_prepared_in_two_ways() -> None:
    app = with_upload(("mine.safetensors", WHOLE))
    next(it for it in app.text_input if it.label == "Image size").set_value("48")
    app.segmented_control(key="preprocess").set_value("Hugging Face").run()
    selection = app.session_state["selection"]
    assert problems(app) == []
    assert selection.config == SMALL.with_(image_size=48)
    assert results.model_info(selection.model).preprocess.resize == "squash"
    assert results.crop(selection).shape == (48, 48, 3)


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("hole.safetensors", b"<html>", "hole.safetensors is a web page"),
        ("x.npz", b"\x80\x04.", "not a NumPy archive but a PyTorch pickle"),
        ("x.safetensors", WHOLE[:-9], "not a whole safetensors file"),
        (
            "x.safetensors",
            as_bytes({"![x](http://a.b)": shaken_state(SMALL)["norm.bias"]}),
            "\\!\\[x\\](http\\:\u2060//a.b)",
        ),
    ],
)
def test_what_is_no_checkpoint_is_explained_and_the_last_model_stays(name: str, content: bytes, sentence: str) -> None:
    app = with_upload((name, content))
    assert [error.value for error in app.exception] == []
    assert sentence in app.error[0].value
    assert app.error[0].value.endswith("The previous model is still shown.")
    assert app.session_state["selection"].model.name == "demo"


def test_numbers_that_are_none_leave_the_last_model() -> None:
    state = shaken_state(SMALL)
    state["head.bias"][2] = float("nan")
    app = with_upload(("x.safetensors", as_bytes(state)))
    assert "head.bias holds infinite numbers" in app.error[0].value
    assert app.session_state["selection"].model.name == "demo"


@pytest.mark.parametrize(
    ("content", "card", "sentence"),
    [
        (safetensors({"norm.weight": {"dtype": "F32", "shape": [2**63, 0], "data_offsets": [0, 0]}}), {}, "8 axes"),
        (safetensors(b"{" + HALF + b"," + HALF + b"}", bytes(4)), {}, "twice"),
        (safetensors({"a\n\n* item\n" + "b" * 900_000: {}}), {}, "not a whole safetensors file"),
        (WHOLE, {"num_attention_heads": 10**4000}, "heads 10^4000 is outside"),
    ],
)
def test_what_no_sentence_could_quote_is_explained(content: bytes, card: dict[str, object], sentence: str) -> None:
    app = with_upload(("x.safetensors", content), ("config.json", json.dumps(card).encode()))
    assert [error.value for error in app.exception] == []
    assert sentence in app.error[0].value
    assert len(app.error[0].value) < 1000


def test_colours_beyond_all_numbers_are_not_heeded() -> None:
    rule = {"mean": [10**400] * 3, "std": [0.5] * 3, "crop_pct": 1}
    app = with_upload(("x.safetensors", WHOLE), ("config.json", json.dumps({"pretrained_cfg": rule}).encode()))
    assert problems(app) == []
    assert results.model_info(app.session_state["selection"].model).preprocess.mean == (0.5, 0.5, 0.5)


def test_many_who_upload_at_once_keep_the_newest_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Upload(BytesIO):
        name = "mine.npz"

    monkeypatch.setenv(own_folder.FOLDER, str(tmp_path))
    files = [Upload(str(number % 16).encode()) for number in range(64)]
    with ThreadPoolExecutor(8) as visitors:
        assert len(set(visitors.map(lambda file: checkpoints._write(file, None), files))) == 16
    kept = [path for path in (tmp_path / "checkpoints").rglob("*") if path.is_file()]
    assert len(kept) == checkpoints.MAX_UPLOADS
    assert {path.name for path in kept} == {"mine.npz"}


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("hole.safetensors", "hole.safetensors"),
        ("vit_base_patch16_clip_quickgelu_224.openai (1).NPZ", "vit_base_patch16_clip_quickgelu_224.openai (1).npz"),
        ("../../etc/hole\n\0*<b>.npz", "holeb.npz"),
        ("..npz", "model.npz"),
        ("\ud800.npz", "model.npz"),
        (
            "深" * 300 + ".safetensors",
            "深" * 60 + ".safetensors" if sys.getfilesystemencoding() == "utf-8" else "model.safetensors",
        ),
    ],
)
def test_an_upload_lies_on_the_disk_under_its_own_name(
    name: str, kept: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload: Any = BytesIO(b"1")
    upload.name = name
    monkeypatch.setenv(own_folder.FOLDER, str(tmp_path))
    path, _ = checkpoints._write(upload, None)
    assert path.name == kept
    assert path.parent.parent == tmp_path / "checkpoints"
    assert path.read_bytes() == b"1"


def test_a_name_keeps_the_letters_that_names_of_files_have_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "getfilesystemencoding", lambda: "iso8859-1")
    assert checkpoints._name_on_disk("深.npz") == "model.npz"
    assert checkpoints._name_on_disk("Fuß 深 2.npz") == "Fuß  2.npz"
