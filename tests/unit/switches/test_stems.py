"""Stems of convolutions, and pictures and patches that are no squares: against references and published counts."""

from typing import Any

import pytest
import torch
from torch.nn import functional as F
from torch.utils.flop_counter import FlopCounterMode

from tests.unit.switches.test_positions import model_of
from vitviz.config import ConfigError, ViTConfig
from vitviz.config.sides import read, written
from vitviz.config.stems import convolutions
from vitviz.counts import layer_table, parameter_split, total_macs, total_parameters
from vitviz.edits import Edits
from vitviz.model import ViT
from vitviz.trace import record

HYBRID = ViTConfig(stem="r50")
SMALL = ViTConfig(image_size=32, patch_size=16, dim=24, depth=1, heads=3, mlp_dim=32, classes=5, stem="r50")


def noise(*sides: int, channels: int = 3) -> torch.Tensor:
    return torch.randn(2, channels, *sides, generator=torch.Generator().manual_seed(0))


def test_published_counts_of_the_hybrid() -> None:
    """`vit_base_r50_s16_224` and `_384` as timm has them."""
    assert total_parameters(HYBRID) == 98_659_112
    assert total_parameters(HYBRID.with_(classes=0)) == 97_890_112
    assert total_parameters(HYBRID.with_(classes=0, image_size=384)) == 98_950_952 - 769_000
    assert round(total_macs(HYBRID.with_(classes=0)) / 1e9, 2) == 21.53
    with torch.device("meta"), FlopCounterMode(display=False) as counter:
        ViT(HYBRID)(torch.empty(1, 3, 224, 224))
    assert counter.get_total_flops() == 2 * total_macs(HYBRID)
    assert {it.name: it.count for it in parameter_split(HYBRID)}["stem"] == 11_894_848
    assert [(row.name, row.shape) for row in layer_table(HYBRID)[:2]] == [
        ("StdConv2dSame-1", (-1, 64, 112, 112)),
        ("GroupNormAct-2", (-1, 64, 112, 112)),
    ]


def test_names_of_the_hybrid_are_those_of_timm() -> None:
    with torch.device("meta"):
        names = [name for name, _ in ViT(HYBRID).named_parameters() if name.startswith("patch_embed.")]
    blocks = [(stage, block) for stage, blocks in enumerate((3, 4, 9)) for block in range(blocks)]
    inside = [f"patch_embed.backbone.stages.{stage}.blocks.{block}" for stage, block in blocks]
    convolved = [f"{block}.conv{number}.weight" for block in inside for number in (1, 2, 3)]
    normed = [f"{block}.norm{number}.{leaf}" for block in inside for number in (1, 2, 3) for leaf in ("weight", "bias")]
    shortcuts = [
        f"patch_embed.backbone.stages.{stage}.blocks.0.downsample.{leaf}"
        for stage in range(3)
        for leaf in ("conv.weight", "norm.weight", "norm.bias")
    ]
    root = [f"patch_embed.backbone.stem.{leaf}" for leaf in ("conv.weight", "norm.weight", "norm.bias")]
    assert set(names) == {*convolved, *normed, *shortcuts, *root, "patch_embed.proj.weight", "patch_embed.proj.bias"}


def test_filters_of_the_hybrid_are_standardised_so_that_neither_scale_nor_shift_of_them_matters() -> None:
    model, picture = ViT(SMALL, seed=1), noise(32, 32)
    before = model(picture)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "backbone" in name and "conv" in name:
                parameter.mul_(3).add_(0.5)
    torch.testing.assert_close(model(picture), before, rtol=1e-4, atol=1e-4)


def test_a_bottleneck_step_by_step() -> None:
    block = ViT(SMALL, seed=1).get_submodule("patch_embed.backbone.stages.1.blocks.0")
    weights = dict(block.named_parameters())

    def convolved(x: torch.Tensor, name: str, stride: int = 1) -> torch.Tensor:
        weight = weights[f"{name}.weight"]
        flat = weight.flatten(1)
        flat = (flat - flat.mean(1, keepdim=True)) / (flat.var(1, keepdim=True, correction=0) + 1e-8).sqrt()
        edge = weight.shape[-1] // 2  # of an even map, halved: one row more below than above
        padded = F.pad(x, [edge - (stride > 1) * edge, edge] * 2) if edge else x
        return F.conv2d(padded, flat.view_as(weight), stride=stride)

    def normed(x: torch.Tensor, name: str) -> torch.Tensor:
        return F.group_norm(x, 32, weights[f"{name}.weight"], weights[f"{name}.bias"], 1e-5)

    x = noise(8, 8, channels=256)
    past = normed(convolved(x, "downsample.conv", 2), "downsample.norm")
    y = F.relu(normed(convolved(x, "conv1"), "norm1"))
    y = F.relu(normed(convolved(y, "conv2", 2), "norm2"))
    torch.testing.assert_close(block(x), F.relu(past + normed(convolved(y, "conv3"), "norm3")), rtol=1e-4, atol=1e-5)


def test_the_convolutional_stem_halves_until_a_place_is_a_patch() -> None:
    config = ViTConfig(stem="conv", patch_size=8, image_size=(48, 64), dim=64, heads=4)
    assert [(it.read, it.out, it.size) for it in convolutions(config)] == [
        (3, 16, (24, 32)),
        (16, 32, (12, 16)),
        (32, 64, (6, 8)),
    ]
    model = model_of(config, depth=1)
    backbone, x = model.get_submodule("patch_embed.backbone"), noise(48, 64)
    for number in range(3):
        weights = dict(backbone.get_submodule(str(number)).named_parameters())
        x = F.conv2d(x, weights["conv.weight"], stride=2, padding=1)
        x = F.layer_norm(x.permute(0, 2, 3, 1), x.shape[1:2], weights["norm.weight"], weights["norm.bias"], 1e-6)
        x = x.relu().permute(0, 3, 1, 2)
    tokens = F.linear(
        x.flatten(2).mT, model.patch_embed.proj.weight.flatten(1), model.get_parameter("patch_embed.proj.bias")
    )
    torch.testing.assert_close(model.patch_embed(noise(48, 64)), tokens, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("stem", ["conv", "r50"])
def test_pixels_are_painted_before_the_stem_and_its_maps_are_in_the_trace(stem: str) -> None:
    model = ViT(SMALL.with_(stem=stem, depth=2), seed=1)
    plain = record(model, noise(32, 32)[:1])
    maps = [name for name in plain.embedding().names if name.startswith("stem.")]
    assert maps == [f"stem.{number}" for number in range(1, 5)]
    assert plain.embedding()["features"].axes == "b n (s sh sw)"
    painted = record(model, noise(32, 32)[:1], edits=Edits.parse("p2=grey", model.config))
    assert not torch.equal(painted["logits"].tensor, plain["logits"].tensor)
    seen = {name: value.clone() for name, value in ((it, plain.embedding()[it].tensor) for it in maps)}

    def darkened(name: str, value: torch.Tensor) -> torch.Tensor:
        return torch.zeros_like(value) if name == "embed.stem.2" else value

    assert not torch.equal(model(plain["image"].tensor, darkened), plain["logits"].tensor)
    assert all(torch.equal(plain.embedding()[name].tensor, value) for name, value in seen.items())


def test_a_rectangle_is_cut_as_a_convolution_cuts_it() -> None:
    config = ViTConfig(image_size=(24, 32), patch_size=(4, 16), dim=8, depth=1, heads=2, mlp_dim=8, classes=3)
    assert (config.grid, config.patches, config.patch_values) == ((6, 2), 12, 192)
    model, picture = model_of(config), noise(24, 32)
    proj = model.patch_embed.proj
    expected = F.conv2d(picture, proj.weight, proj.bias, stride=(4, 16)).flatten(2).mT
    torch.testing.assert_close(model.patch_embed(picture), expected, rtol=1e-4, atol=1e-4)
    assert model(picture).shape == (2, 3)
    assert "image_size=24x32,patch_size=4x16," in config.key


def test_two_equal_sides_are_one_number() -> None:
    assert ViTConfig(image_size=(224, 224), patch_size=(16, 16)) == ViTConfig()
    assert [read(text) for text in ("96", "96x128", "96x96", "96x", "x", "1e3")] == [
        96,
        (96, 128),
        96,
        None,
        None,
        None,
    ]
    assert [written(size) for size in (96, (96, 128))] == ["96", "96x128"]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"stem": "conv", "patch_size": 14},
            "stem conv halves the picture with every convolution, and patch size 14 is no power of two; choose 8 or 16",
        ),
        (
            {"stem": "r50", "patch_size": 8},
            "stem r50 makes one place of 16 × 16 pixels, and patch size 8 is no multiple of it; choose 16",
        ),
        ({"stem": "resnet"}, "stem 'resnet' is none of patch, conv, r50"),
        (
            {"stem": "conv", "patch_norm": True},
            "patch_norm normalises the pixels of a patch, and stem conv projects none; choose stem patch, or "
            "patch_norm false",
        ),
        (
            {"image_size": (96, 100), "patch_size": 16},
            "image width 100 is not divisible by patch width 16; 100 divides by 10 or 20",
        ),
        ({"image_size": (96, 5000)}, "image size 5,000 is outside 1 to 4,096; the nearest legal value is 4,096"),
        ({"image_size": (96, 96, 3)}, "image size must be a whole number, or rows and columns, not (96, 96, 3)"),
    ],
)
def test_what_cannot_be_is_said_with_the_way_out(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigError) as error:
        ViTConfig(**changes)
    assert str(error.value) == sentence
