"""Files of models with later switches: read where their names tell them, refused in a sentence where they do not."""

from pathlib import Path
from typing import Any

import pytest
import torch

from tests.checkpoints import TIMM, save, shaken
from vitviz.config import ViTConfig
from vitviz.model import ViT
from vitviz.weights import WeightsError, load

HYBRID = ViTConfig(image_size=64, patch_size=16, dim=24, depth=2, heads=3, mlp_dim=40, classes=5, stem="r50")


def picture(config: ViTConfig) -> torch.Tensor:
    return torch.randn(1, 3, *config.image_sides, generator=torch.Generator().manual_seed(1))


def written(config: ViTConfig, path: Path, **renamed: str) -> ViT:
    """A model with random parameters, saved; parts of its names `renamed`."""
    model = shaken(ViT(config))
    state = model.state_dict()
    for ours, theirs in renamed.items():
        state = {name.replace(ours.replace("_dot_", "."), theirs): tensor for name, tensor in state.items()}
    save(state, path)
    return model  # type: ignore[return-value]


@pytest.mark.parametrize(
    "changes",
    [
        {"pool": "mean"},
        {"pool": "mean", "registers": 2},
        {"qk_norm": True},
        {"qk_norm": True, "qkv_bias": False},
        {"qkv_bias": False, "pre_logits": 7},
    ],
    ids=str,
)
def test_switches_are_told_by_their_tensors(changes: dict[str, Any], tmp_path: Path) -> None:
    config = TIMM.with_(**changes)
    model = written(config, tmp_path / "x.safetensors")
    loaded = load(tmp_path / "x.safetensors", heads=None if config.qk_norm else config.heads, device="cpu")
    assert loaded.config == config
    assert torch.equal(loaded.model(picture(config)), model(picture(config)))


def test_the_hybrid_is_read_by_the_names_of_timm(tmp_path: Path) -> None:
    model = written(HYBRID, tmp_path / "vit_r50_s16.safetensors")
    loaded = load(tmp_path / "vit_r50_s16.safetensors", heads=3, device="cpu")
    assert loaded.config == HYBRID
    assert torch.equal(loaded.model(picture(HYBRID)), model(picture(HYBRID)))
    larger = load(tmp_path / "vit_r50_s16.safetensors", heads=3, image_size=(64, 96), device="cpu")
    assert larger.config.grid == (4, 6)
    assert larger.model(picture(larger.config)).isfinite().all()


def test_another_residual_network_is_refused(tmp_path: Path) -> None:
    state = ViT(HYBRID).state_dict()
    state["patch_embed.backbone.stages.3.blocks.0.conv1.weight"] = torch.zeros(512, 1024, 1, 1)
    save(state, tmp_path / "x.safetensors")
    with pytest.raises(WeightsError, match="which no Vision Transformer of the kind shown here has"):
        load(tmp_path / "x.safetensors", heads=3)
    state["patch_embed.backbone.final_conv.weight"] = state.pop("patch_embed.backbone.stages.3.blocks.0.conv1.weight")
    save(state, tmp_path / "x.safetensors")
    with pytest.raises(WeightsError, match="is a hybrid of a ViT and a network of convolutions other than R50"):
        load(tmp_path / "x.safetensors", heads=3)


def test_axial_rotations_are_read_where_the_name_says_so_and_refused_where_nothing_does(tmp_path: Path) -> None:
    config = TIMM.with_(positions="rotary", layer_scale=True, image_size=224, patch_size=16)
    named = tmp_path / "vit_base_patch16_rope_224.naver_in1k.safetensors"
    model = written(config, named, ls1_dot_gamma="gamma_1", ls2_dot_gamma="gamma_2")
    loaded = load(named, heads=3, device="cpu")
    assert loaded.config == config
    torch.testing.assert_close(loaded.model(picture(config)), model(picture(config)))
    wide = load(named, heads=3, image_size=(64, 96), device="cpu")
    assert wide.config.grid == (4, 6)
    named.rename(tmp_path / "x.safetensors")
    with pytest.raises(WeightsError, match="is a ViT without a position embedding"):
        load(tmp_path / "x.safetensors", heads=3)
    named = tmp_path / "vit_base_patch16_rope_mixed_224.safetensors"
    (tmp_path / "x.safetensors").rename(named)
    with pytest.raises(WeightsError, match="without a position embedding"):
        load(named, heads=3)


@pytest.mark.parametrize(
    ("tensor", "sentence"),
    [
        ("fc_norm.weight", "a norm of its own for the mean of its tokens"),
        ("blocks.0.attn.rel_pos.relative_position_bias_table", "every score gets a learned number"),
        ("blocks.0.attn.q_norm.scale", "normalised queries and keys"),
    ],
)
def test_what_is_not_known_is_refused_in_a_sentence(tensor: str, sentence: str, tmp_path: Path) -> None:
    save(ViT(TIMM).state_dict() | {tensor: torch.zeros(24)}, tmp_path / "x.safetensors")
    with pytest.raises(WeightsError, match=sentence):
        load(tmp_path / "x.safetensors", heads=3)


def test_norms_without_a_shift_are_refused_for_two_kinds_have_none(tmp_path: Path) -> None:
    save(ViT(TIMM.with_(norm="rms")).state_dict(), tmp_path / "x.safetensors")
    with pytest.raises(WeightsError, match="a ViT whose norms have no bias"):
        load(tmp_path / "x.safetensors", heads=3)
