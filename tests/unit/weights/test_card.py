"""What stands beside a checkpoint: heads, class names and preprocessing, from a file that nobody needs to trust."""

import json
from pathlib import Path

import pytest
from PIL import Image

from tests.checkpoints import TIMM, save, shaken_state
from vitviz.images import Preprocess
from vitviz.weights import Card, WeightsError, inspect, load, parse_card
from vitviz.weights.families.known import CLIP_MEAN, CLIP_STD, FAMILIES, IMAGENET_MEAN, IMAGENET_STD
from vitviz.weights.labels import imagenet_classes

TIMM_CONFIG = {
    "architecture": "vit_tiny_patch16_224",
    "num_classes": 5,
    "label_names": ["ant", "bee", "cat", "dog", "elk"],
    "pretrained_cfg": {
        "mean": [0.4, 0.5, 0.6],
        "std": [0.1, 0.2, 0.3],
        "crop_pct": 0.95,
        "interpolation": "bilinear",
        "crop_mode": "center",
    },
}
NESTED: list[object] = []
for _ in range(400):
    NESTED = [NESTED]


def test_timm_tells_how_pictures_are_read(tmp_path: Path) -> None:
    path = save(shaken_state(TIMM), tmp_path / "model.safetensors")
    (tmp_path / "config.json").write_text(json.dumps(TIMM_CONFIG), encoding="utf-8")
    loaded = load(path, heads=3, device="cpu")
    assert loaded.labels == ("ant", "bee", "cat", "dog", "elk")
    told = Preprocess(32, 0.95, "shorter side", "bilinear", (0.4, 0.5, 0.6), (0.1, 0.2, 0.3))
    assert loaded.preprocess == loaded.preprocesses["timm"] == told


def test_pixels_may_stay_between_0_and_1_and_the_usual_crop_is_timms() -> None:
    rule = {"mean": [0, 0.0, 0], "std": [1, 1, 1.0]}
    plain = Preprocess(1, 0.875, mean=(0.0, 0.0, 0.0), std=(1.0, 1.0, 1.0))
    assert parse_card(json.dumps({"pretrained_cfg": rule}).encode()).preprocess == plain
    assert parse_card(json.dumps({"pretrained_cfg": rule | {"mean": [-0.1, 0, 0]}}).encode()).preprocess is None


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"id2label": {"0": "LABEL_0", "1": "LABEL_1"}},
        {"id2label": {"0": "a", "2": "b"}},
        {"id2label": 3, "num_attention_heads": "many", "layer_norm_eps": -1, "hidden_act": ["gelu"]},
        {"num_attention_heads": 0, "layer_norm_eps": None, "pretrained_cfg": {"mean": [1, 2], "std": 3}},
        {"pretrained_cfg": {"mean": [0.5] * 3, "std": [0, 0, 0], "crop_pct": 1}},
        {"pretrained_cfg": {"mean": [0.5] * 3, "std": [0.5] * 3, "crop_pct": 0}},
        {"pretrained_cfg": {"mean": [0.5] * 3, "std": [0.5] * 3, "crop_pct": 0.1}},
        {"pretrained_cfg": {"mean": [0.5] * 3, "std": [1e-30] * 3, "crop_pct": 1}},
        {"pretrained_cfg": {"mean": [10**400] * 3, "std": [0.5] * 3, "crop_pct": 1}},
        {"pretrained_cfg": {"mean": [float("inf")] * 3, "std": [float("nan")] * 3, "crop_pct": 10**400}},
        {"layer_norm_eps": 10**400, "num_attention_heads": -(10**400)},
        {"architecture": NESTED, "hidden_act": NESTED, "label_names": [NESTED], "id2label": {"0": NESTED}},
    ],
)
def test_what_is_not_told_stays_unknown(content: object) -> None:
    assert parse_card(json.dumps(content).encode()) == Card()


@pytest.mark.parametrize("data", [b"", b"<html>", b"[]", b"3", b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_json_object_is_refused(data: bytes) -> None:
    with pytest.raises(WeightsError, match=r"config\.json is no JSON"):
        parse_card(data)


def test_a_card_without_end_is_refused() -> None:
    with pytest.raises(
        WeightsError, match=r"config\.json has 5,000,001 bytes; that of a model has fewer than 5,000,000"
    ):
        parse_card(b" " * 5_000_001)


def test_names_are_one_short_line() -> None:
    assert parse_card(json.dumps({"architecture": "vit\n" * 10_000}).encode()).name == " ".join(["vit"] * 50)
    names = ["a\n\n# b", "x" * 10_000, "\ud800\0c\u202e\u2028d ", 5]
    card = parse_card(json.dumps({"id2label": dict(enumerate(names))}).encode())
    assert card.labels == ("a # b", "x" * 200, "c d", "5")


def test_a_number_of_heads_of_4001_digits_is_said_in_a_short_sentence(tmp_path: Path) -> None:
    path = save(shaken_state(TIMM), tmp_path / "x.safetensors")
    with pytest.raises(WeightsError, match=r"x\.safetensors .* heads 10\^4000 is outside 1 to 1,024; ") as error:
        inspect(path, parse_card(b'{"num_attention_heads": 1' + b"0" * 4000 + b"}"))
    assert len(str(error.value)) < 200


def test_names_for_another_number_of_classes_are_not_used(tmp_path: Path) -> None:
    path = save(shaken_state(TIMM), tmp_path / "model.safetensors")
    (tmp_path / "config.json").write_text(json.dumps({"id2label": {"0": "a", "1": "b"}}), encoding="utf-8")
    assert load(path, heads=3, device="cpu").labels[:2] == ("class 0", "class 1")


@pytest.mark.parametrize("tower", ["vision_config", "backbone_config"])
def test_a_vision_tower_tells_its_sizes_in_a_part_of_its_own(tower: str) -> None:
    card = parse_card(json.dumps({tower: {"num_attention_heads": 7, "hidden_act": "quick_gelu"}}).encode())
    assert (card.heads, card.activation) == (7, "quick_gelu")


def test_a_thousand_classes_are_those_of_imagenet(tmp_path: Path) -> None:
    names = imagenet_classes()
    assert len(set(names)) == 1000
    assert (names[0], names[281], names[967], names[999]) == ("tench", "tabby", "espresso", "toilet tissue")
    path = save(shaken_state(TIMM.with_(classes=1000)), tmp_path / "model.safetensors")
    assert load(path, heads=3, device="cpu").labels == names
    assert load("vit_tiny_patch16_224", device="cpu").labels[0] == "class 0"  # random parameters know no names


@pytest.mark.parametrize(
    ("family", "library", "scaled", "mean", "std", "interpolation"),
    [
        ("vit", "timm", (372, 248), (0.5,) * 3, (0.5,) * 3, "bicubic"),
        ("vit", "Hugging Face", (224, 224), (0.5,) * 3, (0.5,) * 3, "bilinear"),
        ("deit", "timm", (372, 248), IMAGENET_MEAN, IMAGENET_STD, "bicubic"),
        ("deit", "Hugging Face", (384, 256), IMAGENET_MEAN, IMAGENET_STD, "bicubic"),
        ("dino", "timm", (372, 248), IMAGENET_MEAN, IMAGENET_STD, "bicubic"),
        ("dinov2", "timm", (336, 224), IMAGENET_MEAN, IMAGENET_STD, "bicubic"),
        ("dinov2", "Hugging Face", (384, 256), IMAGENET_MEAN, IMAGENET_STD, "bicubic"),
        ("clip", "timm", (372, 248), CLIP_MEAN, CLIP_STD, "bicubic"),
        ("clip", "Hugging Face", (336, 224), CLIP_MEAN, CLIP_STD, "bicubic"),
        ("siglip", "timm", (372, 248), (0.5,) * 3, (0.5,) * 3, "bicubic"),
        ("siglip", "Hugging Face", (224, 224), (0.5,) * 3, (0.5,) * 3, "bicubic"),
    ],
)
def test_pictures_are_prepared_as_each_house_does(
    family: str,
    library: str,
    scaled: tuple[int, ...],
    mean: tuple[float, ...],
    std: tuple[float, ...],
    interpolation: str,
) -> None:
    rule = FAMILIES[family].preprocesses(224, {})[library]
    picture = Image.new("RGB", (600, 400))
    left, top, right, bottom = rule.box(picture)
    seen = 224 * 600 / scaled[0], 224 * 400 / scaled[1]
    assert (right - left, bottom - top) == pytest.approx(seen, abs=1)
    assert (rule.mean, rule.std, rule.interpolation, rule.size) == (mean, std, interpolation, 224)


def test_the_same_parameters_have_two_official_preprocessings(tmp_path: Path) -> None:
    path = save(shaken_state(TIMM), tmp_path / "model.safetensors")
    assert list(inspect(path, heads=3).preprocesses) == ["timm", "Hugging Face"]
    assert load(path, heads=3, preprocess="Hugging Face", device="cpu").preprocess.resize == "squash"
    with pytest.raises(WeightsError, match="no preprocessing is called torchvision; there are timm, Hugging Face"):
        load(path, heads=3, preprocess="torchvision")
