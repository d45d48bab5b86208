"""Files of models with later switches: read where their names tell them, refused in a sentence where they do not."""

import math
import re
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.checkpoints import TIMM, save, shaken
from vitviz.config import ViTConfig
from vitviz.model import ViT
from vitviz.weights import WeightsError, inspect, load
from vitviz.weights.positions import COMPUTED

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
        {"pool": "mean", "norm_after_pooling": True},
        {"pool": "mean", "norm_after_pooling": True, "keep_class_token": True, "registers": 2},
        {"positions": "relative"},
        {"positions": "relative", "pool": "mean", "registers": 1, "layer_scale": True},
        {"norm": "rms"},
        {"norm": "rms", "norm_after_pooling": True, "pool": "mean", "layer_scale": True},
    ],
    ids=str,
)
def test_switches_are_told_by_their_tensors(changes: dict[str, Any], tmp_path: Path) -> None:
    config = TIMM.with_(**changes)
    model = written(config, tmp_path / "x.safetensors")
    loaded = load(
        tmp_path / "x.safetensors",
        heads=None if config.qk_norm or config.positions == "relative" else config.heads,
        device="cpu",
    )
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


@pytest.mark.parametrize("blocks", [(2, 2, 2, 2), (3, 4, 6, 3)], ids=["r26_s32", "r50_s32"])
def test_hybrids_of_coarser_residual_networks_are_refused_as_what_they_are(
    blocks: tuple[int, ...], tmp_path: Path
) -> None:
    of_ours = re.compile(r"patch_embed\.backbone\.stages\.(\d)\.blocks\.(\d)\.")
    state = {
        name: tensor
        for name, tensor in ViT(HYBRID).state_dict().items()
        if not (found := of_ours.match(name)) or int(found[2]) < blocks[int(found[1])]
    }
    state |= {
        f"patch_embed.backbone.stages.3.blocks.{block}.conv1.weight": torch.zeros(512, 8, 1, 1)
        for block in range(blocks[3])
    }
    save(state, tmp_path / "x.safetensors")
    with pytest.raises(WeightsError, match=r"another residual network than R50 with 3, 4 and 9 blocks.*R26 and R50"):
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
    ("changes", "more", "sentence"),
    [
        (
            {},
            {"fc_norm.weight": 24, "fc_norm.bias": 24},
            r"holds norm\.bias, norm\.weight, which no Vision Transformer",
        ),
        ({"positions": "relative"}, {"pos_embed": (1, 17, 24)}, "holds pos_embed, which no Vision Transformer"),
        ({"positions": "relative"}, {"shared_rel_pos.relative_position_bias_table": (49, 3)}, "are neither one table"),
        ({}, {"blocks.0.attn.rel_pos.mlp.fc1.weight": (8, 2)}, r"mlp\.fc1\.weight of block 0 are neither one table"),
        ({}, {"blocks.0.attn.relative_position_bias_table": (49, 3)}, "every score gets a learned number"),
        ({}, {"blocks.0.attn.q_norm.scale": 24}, "normalised queries and keys"),
    ],
    ids=str,
)
def test_what_is_not_known_is_refused_in_a_sentence(
    changes: dict[str, Any], more: dict[str, Any], sentence: str, tmp_path: Path
) -> None:
    state = ViT(TIMM.with_(**changes)).state_dict() | {name: torch.zeros(shape) for name, shape in more.items()}
    save(state, tmp_path / "x.safetensors")
    with pytest.raises(WeightsError, match=sentence):
        load(tmp_path / "x.safetensors", heads=3)


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [(50, "have 50 offsets, which are not those of a square"), (81, r"rel_pos.* has the shape \(49, 3\)")],
)
def test_a_table_of_no_square_or_of_another_grid_is_explained(rows: int, sentence: str, tmp_path: Path) -> None:
    state = ViT(TIMM.with_(positions="relative")).state_dict()
    state["blocks.0.attn.rel_pos.relative_position_bias_table"] = torch.zeros(rows, 3)
    save(state, tmp_path / "x.safetensors")
    with pytest.raises(WeightsError, match=sentence):
        load(tmp_path / "x.safetensors", heads=3)


def test_an_mlp_of_offsets_fits_any_grid_and_somebody_must_say_which(tmp_path: Path) -> None:
    config = TIMM.with_(positions="relative", layer_scale=True)
    state = {name: tensor for name, tensor in shaken(ViT(config)).state_dict().items() if "rel_pos" not in name}
    draw = torch.Generator().manual_seed(2)
    for layer in range(config.depth):
        for leaf, shape in {"fc1.weight": (7, 2), "fc1.bias": (7,), "fc2.weight": (3, 7), "fc2.bias": (3,)}.items():
            state[f"blocks.{layer}.attn.rel_pos.mlp.{leaf}"] = torch.randn(shape, generator=draw)
    path = save(state, tmp_path / "x.safetensors")
    with pytest.raises(WeightsError, match="published name, such as vit_relpos_base_patch16_224, or say an image size"):
        load(path, heads=3)
    loaded = load(path, heads=3, image_size=config.image_size, device="cpu")
    assert loaded.config == config == load(path, grid=config.grid, device="cpu").config
    named = load(path, name="vit_relpos_tiny_patch8_224", device="cpu").config
    assert (named.image_size, named.grid) == (224, (28, 28))
    assert COMPUTED in loaded.notes
    wide = load(path, heads=3, image_size=(16, 48), device="cpu").model
    bias = wide.blocks[1].get_submodule("attn.rel_pos")()[:, 1:, 1:]
    first = [state[f"blocks.1.attn.rel_pos.mlp.{leaf}"] for leaf in ("fc1.weight", "fc1.bias")]
    second = [state[f"blocks.1.attn.rel_pos.mlp.{leaf}"] for leaf in ("fc2.weight", "fc2.bias")]
    for query, key in ((0, 7), (5, 2), (11, 11)):
        way = query // 6 - key // 6, query % 6 - key % 6
        logarithms = torch.tensor([math.copysign(math.log(1 + abs(it)), it) for it in way])
        hidden = (first[0] @ logarithms + first[1]).relu()
        torch.testing.assert_close(bias[:, query, key], second[0] @ hidden + second[1])


def test_norms_that_never_shift_are_taken_for_root_mean_squares_and_that_is_said(tmp_path: Path) -> None:
    path = save(ViT(TIMM.with_(norm="rms")).state_dict(), tmp_path / "x.safetensors")
    said = "Norms: by the root mean square, assumed; layer norms that never shift would leave the same trace"
    assert said in load(path, heads=3, device="cpu").notes
    (tmp_path / "config.json").write_text('{"model_args": {"norm_layer": "rmsnorm"}}', encoding="utf-8")
    assert inspect(path).sources.norms == "card"


def test_norms_at_the_end_of_attention_and_mlp_would_have_the_same_names(tmp_path: Path) -> None:
    state = ViT(TIMM.with_(pool="mean", norm_after_pooling=True)).state_dict()
    said = "Norms: before attention and MLP, assumed; at the end of both they would leave the same trace"
    assert said in load(save(state, tmp_path / "x.safetensors"), heads=3, device="cpu").notes
    with pytest.raises(WeightsError, match=r"is by its name a ViT with norms at the end of attention and MLP"):
        load(save(state, tmp_path / "vit_base_patch16_rpn_224.safetensors"), heads=3)
