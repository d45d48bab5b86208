"""Who tells heads, activation, epsilon, positions and pooling: the file, its card, its name, a person, or nobody."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.checkpoints import TIMM, google_arrays, save, shaken_state
from vitviz.config import ViTConfig
from vitviz.weights import Sources, WeightsError, inspect, load
from vitviz.weights.families.names import HEADS, heads_named, size_named

NOBODY = Sources("assumption", "assumption", "assumption", "file", "assumption")
TINY = ViTConfig(image_size=32, patch_size=16, dim=192, depth=1, heads=3, mlp_dim=32, classes=5)


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """A checkpoint of which nobody says anything."""
    return save(shaken_state(TIMM), tmp_path / "model.safetensors")


def sources(
    path: Path, state: dict[str, torch.Tensor], name: str = "", card: Mapping[str, object] | None = None
) -> Sources:
    """Who tells of a file with these tensors."""
    path.with_name("config.json").write_text(json.dumps(card or {}), encoding="utf-8")
    return inspect(save(state, path), name=name).sources


def test_what_nobody_says_is_assumed_and_said(plain: Path) -> None:
    loaded = load(plain, device="cpu")
    assert loaded.sources == NOBODY
    assert loaded.notes == (
        "Heads: 1 × 24 assumed; the tensors do not say",
        "Activation: GELU assumed; the tensors do not say",
        "Epsilon: 10⁻⁶ assumed; the tensors do not say",
        "Answer: that of the class token, assumed; a mean of all tokens would leave no trace",
    )


def test_what_a_person_says_counts_most(plain: Path) -> None:
    plain.with_name("config.json").write_text(
        json.dumps({"num_attention_heads": 2, "hidden_act": "gelu"}), encoding="utf-8"
    )
    loaded = load(plain, heads=3, activation="quick_gelu", epsilon=1e-5, name="vit_tiny_patch16_224", device="cpu")
    assert (loaded.config.heads, loaded.config.activation, loaded.config.epsilon) == (3, "quick_gelu", 1e-5)
    assert loaded.sources == Sources("choice", "choice", "choice", "file", "name")
    assert loaded.notes == ()


@pytest.mark.parametrize(("field", "value"), [("activation", "elu"), ("epsilon", 3.0), ("heads", 5)])
def test_what_no_model_has_cannot_be_chosen(plain: Path, field: str, value: Any) -> None:
    with pytest.raises(WeightsError, match=f"do not fit together: .*{value}"):
        load(plain, **dict[str, Any]({field: value}))


def test_a_card_tells(tmp_path: Path) -> None:
    card = {"num_attention_heads": 2, "hidden_act": "gelu_new", "layer_norm_eps": 1e-3, "global_pool": "token"}
    assert sources(tmp_path / "x.safetensors", shaken_state(TIMM), card=card) == Sources(
        "card", "card", "card", "file", "card"
    )
    config = inspect(tmp_path / "x.safetensors").config
    assert (config.heads, config.activation, config.epsilon) == (2, "gelu_tanh", 1e-3)
    built = {"architecture": "vit_base_patch16_224", "model_args": {"num_heads": 3, "act_layer": "quick_gelu"}}
    assert sources(tmp_path / "x.safetensors", shaken_state(TIMM), card=built).heads == "card"
    config = inspect(tmp_path / "x.safetensors").config
    assert (config.heads, config.activation, config.epsilon) == (3, "quick_gelu", 1e-6)


def test_a_card_tells_of_a_mean_beside_the_class_token(tmp_path: Path) -> None:
    told = sources(tmp_path / "x.safetensors", shaken_state(TIMM), card={"global_pool": "avg"})
    assert told.pool == "card"
    assert inspect(tmp_path / "x.safetensors").config == TIMM.with_(pool="mean", keep_class_token=True, heads=1)


@pytest.mark.parametrize("name", ["vit_tiny_patch16_224.augreg", "WinKawaks/vit-tiny-patch16-224", "vit_tiny"])
def test_a_name_tells_of_a_model_as_wide_as_the_published_one(name: str, tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    assert sources(path, shaken_state(TINY), name) == Sources("name", "name", "name", "file", "name")
    assert inspect(path, name=name).config == TINY
    assert sources(path, shaken_state(TIMM), name).heads == "assumption"
    assert sources(tmp_path / "vit_tiny.safetensors", shaken_state(TINY)).heads == "name"


def test_google_files_tell_everything(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", **google_arrays(shaken_state(TIMM), heads=3))
    assert inspect(tmp_path / "x.npz").sources == Sources("file", "file", "file", "file", "file")


def test_gates_are_seen_in_the_file(tmp_path: Path) -> None:
    state = shaken_state(TIMM.with_(activation="swiglu"))
    assert sources(tmp_path / "x.safetensors", state, card={"hidden_act": "elu"}).activation == "file"
    assert inspect(tmp_path / "x.safetensors").config.activation == "swiglu"


def test_attention_pooling_is_seen_in_the_file_and_its_activation_is_not(tmp_path: Path) -> None:
    state = shaken_state(TIMM.with_(pool="attention", classes=0))
    assert sources(tmp_path / "x.safetensors", state) == Sources(
        "assumption", "assumption", "assumption", "file", "file"
    )
    assert sources(tmp_path / "x.safetensors", state, "vit_base_patch32_siglip_256").activation == "name"
    assert inspect(tmp_path / "x.safetensors", name="vit_base_patch32_siglip_256").config.activation == "gelu_tanh"


def test_blocks_that_may_rotate_are_assumed_not_to(tmp_path: Path) -> None:
    state = shaken_state(TIMM.with_(layer_scale=True, prefix_positions=False))
    eva = {name.replace("ls1.gamma", "gamma_1").replace("ls2.gamma", "gamma_2"): it for name, it in state.items()}
    assert sources(tmp_path / "x.safetensors", state).positions == "file"
    assert sources(tmp_path / "x.safetensors", eva).positions == "assumption"
    assert sources(tmp_path / "x.safetensors", eva, "deit3_base_patch16_224").positions == "name"
    assert (
        load(tmp_path / "x.safetensors", device="cpu")
        .notes[3]
        .startswith("Positions: only added to the tokens, assumed")
    )
    for name, card in (("vit_base_patch16_rope_ape_224", {}), ("", {"architecture": "vit_base_patch16_rope_ape_224"})):
        with pytest.raises(WeightsError, match=r"is by its name a ViT with rotary positions \(rope\)"):
            sources(tmp_path / "x.safetensors", eva, name, card)
    assert sources(tmp_path / "rope_climbing.safetensors", state).positions == "file"


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("timm/vit_giantopt_patch16_siglip_256.v2_webli", "giantopt"),
        ("google/siglip-so400m-patch14-384", "so400m"),
        ("facebook/dinov2-with-registers-base", "base"),
        ("dino_deitsmall16_pretrain.pth", "small"),
        ("dinov2_vits14_reg4_pretrain.pth", "small"),
        ("ViT-L/14@336px", "large"),
        ("my_cat.safetensors", ""),
        ("invite_base", ""),
        ("vit_basement", ""),
    ],
)
def test_sizes_in_names(name: str, size: str) -> None:
    assert size_named(name) == size


def test_heads_of_one_size_and_two_widths() -> None:
    assert heads_named("vit_giant_patch14_dinov2", 1536) == 24
    assert heads_named("vit_giantopt_patch16_siglip_256", 1536) == 16
    assert heads_named("vit_giant_patch14_clip_224", 1408) == 16
    assert all(dim % heads == 0 for (_, dim), heads in HEADS.items())
