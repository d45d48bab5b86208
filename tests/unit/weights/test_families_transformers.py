"""Families of `transformers` by the names of their classes: each answers as there, or is refused for what it does."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from tests.checkpoints import SIZES, shaken
from tests.unit.weights.test_families import ANSWERS
from vitviz.trace import record
from vitviz.weights import WeightsError, inspect, load
from vitviz.weights.card import UNSAID

PICTURE = torch.randn(1, 3, 32, 32, generator=torch.Generator().manual_seed(3))
LABELS = SIZES | {"num_labels": 5}
DINO = {name: size for name, size in SIZES.items() if name != "intermediate_size"} | {"mlp_ratio": 2}

# family -> class, sizes besides those of all, and what of its output is compared
RIGHT: dict[str, tuple[str, dict[str, Any], str]] = {
    "ViT": ("ViTForImageClassification", LABELS, "logits"),
    "ViT with a decoder of pretraining": ("ViTForMaskedImageModeling", SIZES | {"encoder_stride": 8}, "vit"),
    "DeiT": ("DeiTForImageClassificationWithTeacher", LABELS, "logits"),
    "MAE": ("ViTMAEModel", SIZES | {"mask_ratio": 0.0}, "class token"),
    "MAE with its decoder": ("ViTMAEForPreTraining", SIZES | {"mask_ratio": 0.0}, "vit"),
    "MSN": ("ViTMSNForImageClassification", LABELS, "logits"),
    "FLAVA": ("FlavaImageModel", SIZES, "class token"),
    "I-JEPA": ("IJepaModel", SIZES, "mean"),
    "I-JEPA with a classifier": ("IJepaForImageClassification", LABELS, "logits"),
    "DPT": ("DPTModel", SIZES | {"is_hybrid": False}, "class token"),
    "DINOv2": ("Dinov2Model", DINO, "class token"),
    "DINOv2 with registers": ("Dinov2WithRegistersModel", DINO, "class token"),
    "DINOv2 of a giant": ("Dinov2Model", DINO | {"use_swiglu_ffn": True}, "class token"),
    "TIPSv2": ("Tipsv2VisionModel", DINO, "class token"),
    "CLIP": ("CLIPVisionModel", SIZES, "pooled"),
    "CLIP with a projection": ("CLIPVisionModelWithProjection", SIZES, "vision_model"),
    "CLIP with a classifier": ("CLIPForImageClassification", {"vision_config": SIZES, "num_labels": 5}, "vision_model"),
    "Chinese CLIP": ("ChineseCLIPVisionModel", SIZES, "pooled"),
    "AltCLIP": ("AltCLIPVisionModel", SIZES, "pooled"),
    "MetaCLIP 2": ("MetaClip2VisionModel", SIZES, "pooled"),
    "CLIPSeg": ("CLIPSegVisionModel", SIZES, "pooled"),
    "GIT": ("GitVisionModel", SIZES, "class token"),
    "SigLIP": ("SiglipVisionModel", SIZES, "pooled"),
    "SigLIP with a classifier": (
        "SiglipForImageClassification",
        {"vision_config": SIZES, "text_config": {"num_hidden_layers": 1}, "num_labels": 5},
        "vision_model",
    ),
}

# what the sentence must say -> classes
REFUSED = {
    "is a BEiT or data2vec": ["BeitForImageClassification", "BeitModel", "Data2VecVisionForImageClassification"],
    "is a DINOv3": ["DINOv3ViTModel"],
    "is a ViTPose": ["VitPoseBackbone"],
    "is a ViT with rotary positions": ["MLCDVisionModel"],
    "is a ViT with normalised queries and keys": ["Sapiens2Model"],
    "is an image encoder of SAM or ViTDet": ["SamVisionModel", "VitDetModel"],
    "is a NaFlex ViT, as SigLIP 2": ["Siglip2VisionModel"],
    "is a model of videos": ["VideoMAEModel", "VivitModel", "TimesformerModel", "XCLIPVisionModel"],
    "is an AIMv2": ["Aimv2VisionModel"],
    "is an InternViT": ["InternVLVisionModel"],
    "is a RADIO": ["RadioModel"],
    "is an OWL-ViT": ["OwlViTVisionModel"],
    "is a ViT under names of torchvision, BLIP or open_clip": ["BlipVisionModel"],
    "is a DeiT with a distillation token and one head": ["DeiTForImageClassification"],
    "is a Swin Transformer": ["SwinForImageClassification"],
    "is a PVT, Twins or SegFormer": ["SegformerForImageClassification", "PvtV2Model"],
    "is a LeViT": ["LevitForImageClassification"],
    "is a CvT": ["CvtModel"],
    "is a network of stages": ["GroupViTVisionModel"],
    "is a ConvNeXt": ["ConvNextForImageClassification", "ConvNextV2Model"],
    "is a ResNet": ["ResNetForImageClassification", "RegNetModel"],
    "is a PoolFormer": ["PoolFormerModel"],
    "is a FocalNet": ["FocalNetModel"],
    "is an EfficientNet or MobileNet": ["MobileNetV2Model", "EfficientNetModel"],
    "is a MobileViT": ["MobileViTModel", "MobileViTV2Model"],
    "is a SwiftFormer": ["SwiftFormerModel"],
    "is a language model, or has one inside": ["BertModel", "LlamaModel", "ViltModel"],
}
SMALLER = SIZES | {
    "vocab_size": 50,
    "num_register_tokens": 4,
    "num_key_value_heads": 3,
    "embed_dim": 24,
    "hidden_sizes": [8, 16, 40, 64],
}


def alike(one: object, other: object) -> bool:
    """Whether two sizes are of one kind: numbers, or lists of as many."""
    return isinstance(one, type(other)) and (not isinstance(one, list) or len(one) == len(other))  # type: ignore[arg-type]


def written(name: str, sizes: Mapping[str, object], folder: Path) -> Any:
    """A random model of `transformers`, as small as its class knows these sizes, saved by itself into `folder`."""
    import transformers

    kind = getattr(transformers, name)
    usual = kind.config_class().to_dict() | {"num_labels": 2}
    config = kind.config_class(**{key: size for key, size in sizes.items() if alike(usual.get(key), size)})
    model = kind(config)
    shaken(model)
    model.save_pretrained(folder)
    return model


@torch.no_grad()
def reference(model: Any, compared: str) -> Tensor:
    """What `transformers` answers: the model itself, or the part of it that is no head."""
    out = getattr(model, compared, model)(PICTURE)
    if compared == "logits":
        return out.logits
    if compared == "mean":
        return out.last_hidden_state.mean(1)
    return out.last_hidden_state[:, 0] if compared in ("class token", "vit") else out.pooler_output


@pytest.mark.parametrize("family", RIGHT)
def test_the_answer_is_that_of_transformers(family: str, tmp_path: Path) -> None:
    name, sizes, compared = RIGHT[family]
    model = written(name, sizes, tmp_path)
    theirs = reference(model, compared)
    for source in (tmp_path / "model.safetensors", model):
        loaded = load(source, device="cpu")
        ours = record(loaded.model, PICTURE)["logits"].tensor
        assert float((ours - theirs).abs().max() / theirs.abs().max()) < 2e-5
        assert loaded.sources is not None
        assert {loaded.sources.heads, loaded.sources.activation, loaded.sources.epsilon} <= {"card", "file"}


@pytest.mark.parametrize(("sentence", "name"), [(it, name) for it, names in REFUSED.items() for name in names])
def test_another_family_is_refused_for_what_it_does(sentence: str, name: str, tmp_path: Path) -> None:
    written(name, SMALLER, tmp_path)
    with pytest.raises(WeightsError, match=sentence) as error:
        inspect(tmp_path / "model.safetensors")
    assert "complete file" not in str(error.value)


def test_there_are_many_families() -> None:
    assert len(RIGHT) >= 20
    assert sum(map(len, REFUSED.values())) >= 35


@pytest.mark.parametrize("kind", UNSAID)
def test_what_a_card_leaves_out_is_what_its_class_takes(kind: str) -> None:
    import transformers

    config = transformers.AutoConfig.for_model(kind)
    config = getattr(config, "vision_config", config)
    told = config.num_attention_heads, {"gelu_pytorch_tanh": "gelu_tanh"}.get(config.hidden_act, config.hidden_act)
    assert UNSAID[kind] == (*told, config.layer_norm_eps)


def test_a_card_that_says_nothing_of_its_vision_model_is_enough(tmp_path: Path) -> None:
    written("SiglipVisionModel", SIZES | {"num_attention_heads": 12}, tmp_path)
    card = {"model_type": "siglip", "vision_config": {"model_type": "siglip_vision_model"}}
    (tmp_path / "config.json").write_text(json.dumps(card), encoding="utf-8")
    plan = inspect(tmp_path / "model.safetensors")
    assert (plan.config.heads, plan.config.activation, plan.config.epsilon) == (12, "gelu_tanh", 1e-6)
    assert plan.assumptions == {}


@pytest.mark.parametrize("word", ["elu", "silu", "gelu_10", "mish\nand more"])
def test_an_activation_that_nobody_knows_is_never_taken_for_gelu(word: str, tmp_path: Path) -> None:
    written("ViTForImageClassification", LABELS, tmp_path)
    card = json.loads((tmp_path / "config.json").read_text(encoding="utf-8"))
    (tmp_path / "config.json").write_text(json.dumps(card | {"hidden_act": word}), encoding="utf-8")
    with pytest.raises(WeightsError, match=f"config.json asks for the activation {word.split()[0]}") as error:
        inspect(tmp_path / "model.safetensors")
    assert "\n" not in str(error.value)
    assert inspect(tmp_path / "model.safetensors", activation="gelu").sources.activation == "choice"


def test_the_readme_counts_those_that_answer_right() -> None:
    classes = {name for name, *_ in RIGHT.values()}
    said = f"{len(ANSWERS)} models of timm and {len(classes)} classes of transformers answer as there"
    assert said in (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
