"""Every way to name the parameters gives the model that was saved, and its family is recognised."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from tests.checkpoints import TIMM, google_arrays, save, shaken_state
from vitviz.config import ViTConfig
from vitviz.weights import Sources, WeightsError, infer_config, inspect, load
from vitviz.weights.loading import Loaded

REGISTERS = TIMM.with_(registers=4, prefix_positions=False, layer_scale=True, classes=0)
SIGLIP = TIMM.with_(pool="attention", classes=0)
GOOGLE = TIMM.with_(activation="gelu_tanh")  # `nn.gelu` of Flax
CLIP = TIMM.with_(input_norm=True, patch_bias=False, classes=0, epsilon=1e-5)


def same(loaded: Loaded, state: dict[str, Tensor]) -> bool:
    """Whether a loaded model holds exactly these numbers."""
    ours = loaded.model.state_dict()
    return ours.keys() == state.keys() and all(torch.equal(ours[name], state[name]) for name in state)


def archive(path: Path, arrays: dict[str, Any]) -> Path:
    np.savez(path, **arrays)
    return path


@pytest.mark.parametrize(
    ("config", "family"),
    [
        (TIMM, "vit"),
        (TIMM.with_(classes=0), "vit"),
        (TIMM.with_(distilled=True), "deit"),
        (TIMM.with_(layer_scale=True, prefix_positions=False), "deit"),
        (TIMM.with_(layer_scale=True, classes=0), "dinov2"),
        (REGISTERS, "dinov2"),
        (REGISTERS.with_(activation="swiglu"), "dinov2"),
        (REGISTERS.with_(prefix_positions=True), "dinov2"),
        (CLIP, "clip"),
        (SIGLIP, "siglip"),
        (TIMM.with_(patch_norm=True), "vit"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_our_own_names_of_every_family(config: ViTConfig, family: str, tmp_path: Path) -> None:
    state = shaken_state(config)
    path = save(state, tmp_path / "model.safetensors")
    assert inspect(path, heads=3).config == config
    assert inspect(path, heads=3).family == family
    assert same(load(path, heads=3, device="cpu"), state)


@pytest.mark.parametrize("old", [True, False])
def test_google_arrays_are_the_timm_form(old: bool, tmp_path: Path) -> None:
    state = shaken_state(TIMM)
    path = archive(tmp_path / "ViT.npz", google_arrays(state, heads=3, old=old))
    loaded = load(path, device="cpu")
    assert loaded.config == GOOGLE  # its three heads of 8 stand in the shapes
    assert same(loaded, state)


@pytest.mark.parametrize("prefix", ["opt/target/", "params/", "params/img/"])
def test_google_arrays_inside_an_optimiser(prefix: str, tmp_path: Path) -> None:
    state = shaken_state(TIMM)
    arrays = {prefix + name: array for name, array in google_arrays(state, heads=3).items()}
    assert same(load(archive(tmp_path / "ViT.npz", arrays), device="cpu"), state)


def test_google_arrays_with_all_blocks_in_one(tmp_path: Path) -> None:
    config = GOOGLE.with_(prefix_positions=False)
    state = shaken_state(config)
    flat = google_arrays(state, heads=3, old=False)
    flat["pos_embedding"] = flat.pop("Transformer/posembed_input/pos_embedding")
    there = "Transformer/encoderblock_{}/"
    arrays = {name: array for name, array in flat.items() if "encoderblock" not in name}
    for name in flat:
        if name.startswith(there.format(0)):
            local = name.removeprefix(there.format(0))
            arrays["Transformer/encoderblock/" + local] = np.stack([flat[there.format(i) + local] for i in range(2)])
    loaded = load(archive(tmp_path / "big_vision.npz", arrays), device="cpu")
    assert loaded.config == config
    assert same(loaded, state)


def test_google_arrays_with_swapped_queries_and_keys_are_not_the_timm_form(tmp_path: Path) -> None:
    state = shaken_state(TIMM)
    arrays = google_arrays(state, heads=3)
    attends = "Transformer/encoderblock_1/MultiHeadDotProductAttention_1"
    query, key = f"{attends}/query/kernel", f"{attends}/key/kernel"
    arrays[query], arrays[key] = arrays[key], arrays[query]
    assert not same(load(archive(tmp_path / "ViT.npz", arrays), device="cpu"), state)


def test_the_hidden_layer_of_pretraining_is_read_before_the_head(tmp_path: Path) -> None:
    state = shaken_state(TIMM)
    arrays, kernel = google_arrays(state, heads=3), np.linspace(-1, 1, 24 * 24, dtype=np.float32).reshape(24, 24)
    arrays |= {"pre_logits/kernel": kernel, "pre_logits/bias": np.full(24, 0.25, np.float32)}
    loaded = load(archive(tmp_path / "ViT.npz", arrays), device="cpu")
    expected = GOOGLE.with_(pre_logits=24)
    assert loaded.config == expected
    state |= {"pre_logits.fc.weight": torch.from_numpy(kernel.T), "pre_logits.fc.bias": torch.full((24,), 0.25)}
    assert same(loaded, state)


def test_openai_names_of_clip(tmp_path: Path) -> None:
    config = CLIP.with_(activation="quick_gelu")
    state = shaken_state(config)
    there = {"text_projection": torch.zeros(24, 7), "logit_scale": torch.zeros(()), "visual.proj": torch.zeros(24, 7)}
    renames = {
        "norm_pre": "ln_pre",
        "norm1": "ln_1",
        "norm2": "ln_2",
        "attn.qkv.": "attn.in_proj_",
        "attn.proj": "attn.out_proj",
        "mlp.fc1": "mlp.c_fc",
        "mlp.fc2": "mlp.c_proj",
        "patch_embed.proj": "conv1",
        "blocks.": "transformer.resblocks.",
    }
    for name, tensor in state.items():
        theirs = "ln_post." + name.removeprefix("norm.") if name.startswith("norm.") else name
        for ours, other in renames.items():
            theirs = theirs.replace(ours, other)
        there[f"visual.{theirs}"] = tensor
    there["visual.class_embedding"] = there.pop("visual.cls_token").reshape(-1)
    there["visual.positional_embedding"] = there.pop("visual.pos_embed")[0]
    loaded = load(save(there, tmp_path / "ViT-B-32.safetensors"), heads=3, device="cpu")
    assert loaded.config == config
    assert loaded.sources == Sources("choice", "assumption", "file", "file", "file")  # open_clip writes GELU as well
    assert same(loaded, state)


@pytest.mark.parametrize(("bias", "classes"), [(0.0, 0), (0.3, 5)])
def test_a_head_of_clip_is_a_classifier_only_with_a_bias(bias: float, classes: int, tmp_path: Path) -> None:
    state = shaken_state(CLIP.with_(classes=5)) | {"head.bias": torch.full((5,), bias)}
    assert inspect(save(state, tmp_path / "clip.safetensors"), heads=3).config.classes == classes


def test_the_name_tells_what_shapes_do_not(tmp_path: Path) -> None:
    quick = save(shaken_state(CLIP), tmp_path / "vit_clip_quickgelu.safetensors")
    assert inspect(quick, heads=3).config.activation == "quick_gelu"
    plain = save(shaken_state(TIMM.with_(classes=0)), tmp_path / "model.safetensors")
    assert inspect(plain, heads=3, name="vit_base_patch16_224.dino").family == "dino"
    assert inspect(plain, heads=3, name="deit_small_patch16_224").family == "deit"


def test_registers_of_the_first_files_give_the_class_token_its_position(tmp_path: Path) -> None:
    state = shaken_state(REGISTERS)
    position = torch.full((1, 1, 24), 0.25)
    first = {name: tensor for name, tensor in state.items() if name not in ("reg_token", "pos_embed")} | {
        "register_tokens": state["reg_token"],
        "pos_embed": torch.cat([position, state["pos_embed"]], dim=1),
        "mask_token": torch.zeros(1, 24),
    }
    loaded = load(save(first, tmp_path / "dinov2.safetensors"), heads=3, device="cpu")
    assert same(loaded, state | {"cls_token": state["cls_token"] + 0.25})


def test_first_names_of_gated_layers_and_layer_scale(tmp_path: Path) -> None:
    state = shaken_state(REGISTERS.with_(activation="swiglu"))
    first = {
        name.replace("mlp.fc1", "mlp.w12").replace("mlp.fc2", "mlp.w3").replace("ls1.gamma", "gamma_1"): tensor
        for name, tensor in state.items()
    }
    assert same(load(save(first, tmp_path / "giant.safetensors"), heads=3, device="cpu"), state)


@pytest.mark.parametrize("wrapper", ["module.", "model.", "_orig_mod.", "module.backbone."])
def test_what_training_programs_put_before_names_is_stripped(wrapper: str, tmp_path: Path) -> None:
    state = shaken_state(TIMM)
    wrapped = {wrapper + name: tensor for name, tensor in state.items()}
    assert same(load(save(wrapped, tmp_path / "model.safetensors"), heads=3, device="cpu"), state)


def test_of_teacher_and_student_the_teacher_is_the_model(tmp_path: Path) -> None:
    teacher, student = (shaken_state(TIMM.with_(classes=0), seed) for seed in (1, 2))
    both = {f"teacher.backbone.{name}": tensor for name, tensor in teacher.items()}
    both |= {f"student.backbone.{name}": tensor for name, tensor in student.items()}
    both["teacher.head.mlp.0.weight"] = torch.zeros(3, 24)
    loaded = load(save(both, tmp_path / "dino.safetensors"), heads=3, device="cpu")
    assert same(loaded, teacher)
    assert loaded.notes[0] == "Left out: stands beside teacher.backbone."


@pytest.mark.parametrize(
    "wrap", [lambda state: state, lambda state: {"model": state}, lambda state: {"teacher": state}]
)
def test_pytorch_files_from_the_own_disk(wrap: Callable[..., Any], tmp_path: Path) -> None:
    state = shaken_state(TIMM)
    torch.save(wrap(state), tmp_path / "model.pth")
    assert same(load(tmp_path / "model.pth", heads=3, device="cpu"), state)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_other_precisions_become_float32(dtype: torch.dtype, tmp_path: Path) -> None:
    state = {name: tensor.to(dtype) for name, tensor in shaken_state(TIMM).items()}
    loaded = load(save(state, tmp_path / "model.safetensors"), heads=3, device="cpu")
    assert same(loaded, {name: tensor.float() for name, tensor in state.items()})


def test_heads_that_do_not_divide_the_width_are_refused(tmp_path: Path) -> None:
    path = save(shaken_state(TIMM), tmp_path / "model.safetensors")
    with pytest.raises(WeightsError, match="dim 24 is not divisible by 5 heads; 24 divides by 4 or 6"):
        load(path, heads=5)


def test_sizes_of_a_model_in_memory() -> None:
    config = ViTConfig(image_size=32, patch_size=8, dim=192, depth=1, heads=3, mlp_dim=64, classes=2)
    assert infer_config(shaken_state(config)) == config
