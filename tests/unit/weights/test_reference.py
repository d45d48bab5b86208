"""A file that `transformers` wrote gives the same answer here, for each family; one with q and k swapped does not."""

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from tests.checkpoints import SIZES, change, shaken
from vitviz.trace import record
from vitviz.weights import WeightsError, load

DINOV2 = {name: size for name, size in SIZES.items() if name != "intermediate_size"} | {"mlp_ratio": 2}
KEYS = "encoder.layer.{}.attention.attention.{}.weight"
TOWER_KEYS = "encoder.layers.{}.self_attn.{}_proj.weight"

# family and what is special about it -> model class, configuration, the answer that is compared, name of q and k
CASES = {
    "vit": ("ViTForImageClassification", "ViTConfig", SIZES | {"num_labels": 5}, "logits", f"vit.{KEYS}"),
    "vit without head": ("ViTModel", "ViTConfig", SIZES, "class token", KEYS),
    "deit": (
        "DeiTForImageClassificationWithTeacher",
        "DeiTConfig",
        SIZES | {"num_labels": 5},
        "logits",
        f"deit.{KEYS}",
    ),
    "dinov2": ("Dinov2Model", "Dinov2Config", DINOV2, "class token", KEYS),
    "dinov2 swiglu": ("Dinov2Model", "Dinov2Config", DINOV2 | {"use_swiglu_ffn": True}, "class token", KEYS),
    "dinov2 registers": (
        "Dinov2WithRegistersModel",
        "Dinov2WithRegistersConfig",
        DINOV2 | {"num_register_tokens": 3},
        "class token",
        KEYS,
    ),
    "dinov2 classifier": (
        "Dinov2ForImageClassification",
        "Dinov2Config",
        DINOV2 | {"num_labels": 5},
        "its backbone",
        f"dinov2.{KEYS}",
    ),
    "clip": ("CLIPVisionModel", "CLIPVisionConfig", SIZES, "pooled", TOWER_KEYS),
    "clip projection": (
        "CLIPVisionModelWithProjection",
        "CLIPVisionConfig",
        SIZES | {"projection_dim": 7},
        "its tower",
        f"vision_model.{TOWER_KEYS}",
    ),
    "siglip": ("SiglipVisionModel", "SiglipVisionConfig", SIZES, "pooled", TOWER_KEYS),
}


def written(case: str, folder: Path) -> Any:
    """A random model of `transformers`, saved by itself into `folder`."""
    import transformers

    model_name, config_name, sizes, *_ = CASES[case]
    config = getattr(transformers, config_name)(**sizes)
    model = getattr(transformers, model_name)(config)
    shaken(model)
    model.save_pretrained(folder)
    return model


@torch.no_grad()
def reference(case: str, model: Any, image: Tensor) -> Tensor:
    """What `transformers` answers."""
    answer = CASES[case][3]
    if answer == "its backbone":
        return model.dinov2(image).last_hidden_state[:, 0]
    if answer == "its tower":
        return model.vision_model(image).pooler_output
    out = model(image)
    if answer == "class token":
        return out.last_hidden_state[:, 0]
    return out.logits if answer == "logits" else out.pooler_output


def picture(size: int = 32) -> Tensor:
    return torch.randn(2, 3, size, size, generator=torch.Generator().manual_seed(3))


def relative(ours: Tensor, theirs: Tensor) -> float:
    return float((ours - theirs).abs().max() / theirs.abs().max())


@pytest.mark.parametrize("case", CASES)
def test_the_answer_is_that_of_transformers(case: str, tmp_path: Path) -> None:
    model = written(case, tmp_path)
    loaded = load(tmp_path / "model.safetensors", device="cpu")
    trace = record(loaded.model, picture())
    assert relative(trace["logits"].tensor, reference(case, model, picture())) < 2e-5
    assert loaded.trained


@pytest.mark.parametrize("case", CASES)
def test_swapped_queries_and_keys_are_noticed(case: str, tmp_path: Path) -> None:
    model = written(case, tmp_path)
    path, names = tmp_path / "model.safetensors", CASES[case][4]
    query, key = ("q", "k") if "self_attn" in names else ("query", "key")
    change(path, **{names.format(1, query): names.format(1, key)})
    ours = record(load(path, device="cpu").model, picture())["logits"].tensor
    assert relative(ours, reference(case, model, picture())) > 1e-3


@pytest.mark.parametrize("case", ["vit", "dinov2", "dinov2 swiglu", "dinov2 registers", "siglip"])
def test_names_that_transformers_uses_in_memory_are_read_as_well(case: str, tmp_path: Path) -> None:
    model = written(case, tmp_path)
    torch.save(model.state_dict(), tmp_path / "memory.pth")
    ours = record(load(tmp_path / "memory.pth", device="cpu").model, picture())["logits"].tensor
    assert relative(ours, reference(case, model, picture())) < 2e-5


@pytest.mark.parametrize("case", ["vit", "deit", "dinov2", "dinov2 registers", "clip", "siglip"])
@pytest.mark.parametrize("size", [16, 48])
def test_at_another_image_size_positions_are_resized_as_transformers_does(case: str, size: int, tmp_path: Path) -> None:
    model = written(case, tmp_path)
    loaded = load(tmp_path / "model.safetensors", image_size=size, device="cpu")
    asked = {} if "dino" in case else {"interpolate_pos_encoding": True}
    with torch.no_grad():
        out = model(picture(size), **asked)
    theirs = getattr(out, "logits", None)
    if theirs is None:
        theirs = out.last_hidden_state[:, 0] if CASES[case][3] == "class token" else out.pooler_output
    assert loaded.config.image_size == size
    assert relative(record(loaded.model, picture(size))["logits"].tensor, theirs) < 2e-5


def test_every_register_is_a_token_of_its_own(tmp_path: Path) -> None:
    model = written("dinov2 registers", tmp_path)
    trace = record(load(tmp_path / "model.safetensors", device="cpu").model, picture())
    assert trace.config.prefix_tokens == ("class", "register 1", "register 2", "register 3")
    with torch.no_grad():
        theirs = model(picture()).last_hidden_state
    assert relative(trace.readout()["norm"].tensor, theirs) < 2e-5


def test_attention_pooling_is_a_stage_of_the_trace(tmp_path: Path) -> None:
    written("siglip", tmp_path)
    trace = record(load(tmp_path / "model.safetensors", device="cpu").model, picture())
    read = trace.readout()
    assert trace.config.prefix_tokens == ()
    weights = read["pool.weights"].tensor
    assert weights.shape == (2, 3, 1, 16)
    torch.testing.assert_close(weights.sum(dim=-1), torch.ones(2, 3, 1))
    torch.testing.assert_close(weights @ read["pool.v"].tensor, read["pool.z"].tensor)


def test_a_distilled_model_with_one_head_is_refused_with_the_reason(tmp_path: Path) -> None:
    import transformers

    model = transformers.DeiTForImageClassification(transformers.DeiTConfig(**SIZES, num_labels=5))
    shaken(model)
    model.save_pretrained(tmp_path)
    with pytest.raises(WeightsError, match="is a DeiT with a distillation token and one head, which is not"):
        load(tmp_path / "model.safetensors")


def test_what_was_left_out_is_said(tmp_path: Path) -> None:
    written("clip projection", tmp_path)
    notes = load(tmp_path / "model.safetensors", device="cpu").notes
    assert notes == ("Left out: the projection into the space that pictures share with texts.",)


def test_names_of_classes_and_heads_come_from_the_file_beside(tmp_path: Path) -> None:
    model = written("vit", tmp_path)
    model.config.id2label = dict(enumerate(["ant", "bee", "cat", "dog", "elk"]))
    model.config.save_pretrained(tmp_path)
    loaded = load(tmp_path / "model.safetensors", device="cpu")
    assert loaded.labels == ("ant", "bee", "cat", "dog", "elk")
    assert (loaded.config.heads, loaded.config.epsilon) == (3, 1e-12)
