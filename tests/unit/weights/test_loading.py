"""Loading: the right model for a name or a file, one sentence for everything else."""

import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file
from torch import nn

from vitviz.config import PRESETS, ViTConfig
from vitviz.machine.device import DeviceError
from vitviz.model import ViT
from vitviz.weights import WeightsError, build, infer_config, load
from vitviz.weights.labels import class_names

SMALL = ViTConfig(image_size=32, patch_size=8, dim=128, depth=2, heads=2, mlp_dim=64, classes=5)


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    path = tmp_path / "small.safetensors"
    save_file(ViT(SMALL, seed=4).state_dict(), path)
    return path


def test_a_loaded_model_cannot_learn_or_drop_out() -> None:
    loaded = load("vit_tiny_patch16_224")
    assert not loaded.model.training
    assert not any(parameter.requires_grad for parameter in loaded.model.parameters())
    assert (loaded.trained, len(loaded.labels)) == (False, 1000)


def test_the_demo_is_trained_and_knows_its_classes() -> None:
    loaded = load("demo")
    assert loaded.trained
    assert loaded.config == PRESETS["demo"]
    assert loaded.labels[0] == "house"


def test_a_file_gives_the_model_that_was_saved(checkpoint: Path) -> None:
    loaded = load(checkpoint)
    assert loaded.config == SMALL
    expected = ViT(SMALL, seed=4).state_dict()
    assert all(torch.equal(value, expected[name]) for name, value in loaded.model.state_dict().items())


@pytest.mark.parametrize("distilled", [False, True])
def test_sizes_are_read_off_the_shapes(distilled: bool) -> None:
    config = SMALL.with_(distilled=distilled)
    assert infer_config(ViT(config).state_dict()) == config


def test_what_is_no_vision_transformer_is_said_to_be_none(tmp_path: Path) -> None:
    path = tmp_path / "resnet.safetensors"
    save_file({"conv1.weight": torch.zeros(64, 3, 7, 7)}, path)
    sentence = r"resnet\.safetensors is a ResNet or one of its kin, which is not shown here: convolutions slide over"
    with pytest.raises(WeightsError, match=sentence):
        load(path)


def test_a_broken_file_is_said_to_be_broken(checkpoint: Path) -> None:
    checkpoint.write_bytes(checkpoint.read_bytes()[:-10])
    with pytest.raises(WeightsError, match=r"small\.safetensors is not a whole safetensors file"):
        load(checkpoint)


def test_a_tensor_of_the_wrong_shape_is_named(tmp_path: Path) -> None:
    state = ViT(SMALL).state_dict() | {"blocks.1.norm1.bias": torch.zeros(7)}
    save_file(state, tmp_path / "odd.safetensors")
    with pytest.raises(WeightsError, match=r"blocks\.1\.norm1\.bias"):
        load(tmp_path / "odd.safetensors")


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(WeightsError, match="nothing_like_it is neither a file nor a preset; presets are demo"):
        load("nothing_like_it")


def test_a_model_larger_than_memory_is_refused_before_it_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vitviz.machine.device._free", lambda total: 2_000_000_000)
    with pytest.raises(DeviceError, match=r"this model needs 2\.6 GB, and .* 2\.0 GB free; choose a smaller model"):
        build(PRESETS["vit_huge_patch14_224"])


def test_an_absent_device_is_named() -> None:
    with pytest.raises(DeviceError, match="device abacus is not here; this machine has "):
        load("vit_tiny_patch16_224", device="abacus")


def test_the_names_of_a_million_classes_are_made_when_somebody_looks() -> None:
    names = class_names(1_000_000, known=False)
    assert (len(names), names[999_999], names[1:3]) == (1_000_000, "class 999999", ("class 1", "class 2"))
    assert sys.getsizeof(names) < 100


class Part(nn.Module):
    """A part of a model that runs nothing."""

    num_heads: int


class Block(nn.Module):
    """A block as timm builds it, of which nothing runs."""

    def __init__(self, config: ViTConfig) -> None:
        super().__init__()
        self.attn = Part()
        self.mlp = Part()
        self.attn.num_heads = config.heads
        self.attn.qkv, self.attn.proj = nn.Linear(config.dim, 3 * config.dim), nn.Linear(config.dim, config.dim)
        self.mlp.fc1, self.mlp.fc2 = nn.Linear(config.dim, config.mlp_dim), nn.Linear(config.mlp_dim, config.dim)
        self.mlp.act = nn.GELU(approximate="tanh")
        self.norm1, self.norm2 = nn.LayerNorm(config.dim, eps=1e-5), nn.LayerNorm(config.dim, eps=1e-5)


class AsTimm(nn.Module):
    """A model with timm's names and attributes, of which nothing runs."""

    def __init__(self, config: ViTConfig) -> None:
        super().__init__()
        self.global_pool = "token"
        self.pretrained_cfg = {"architecture": "vit_own", "mean": (0.1, 0.2, 0.3), "std": (0.5, 0.5, 0.5)}
        self.cls_token = nn.Parameter(torch.zeros(1, 1, config.dim))
        self.pos_embed = nn.Parameter(torch.randn(1, config.tokens, config.dim))
        self.patch_embed = Part()
        self.patch_embed.proj = nn.Conv2d(3, config.dim, 8, 8)
        self.blocks = nn.Sequential(*(Block(config) for _ in range(config.depth)))
        self.norm, self.head = nn.LayerNorm(config.dim, eps=1e-5), nn.Linear(config.dim, config.classes)


def test_one_of_our_models_is_copied_as_it_is() -> None:
    model = ViT(SMALL.with_(heads=8, registers=2, pool="mean"), seed=4).train()
    loaded = load(model)
    assert loaded.config == model.config
    assert model.training
    assert all(parameter.requires_grad for parameter in model.parameters())
    model.state_dict()["head.bias"].add_(1)
    assert not torch.equal(loaded.model.state_dict()["head.bias"], model.state_dict()["head.bias"])
    assert loaded.preprocess.size == SMALL.image_size


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_model_of_another_library_tells_what_its_parameters_do_not(wrapped: bool) -> None:
    theirs = AsTimm(SMALL)
    loaded = load(nn.DataParallel(theirs) if wrapped else theirs)
    expected = SMALL.with_(activation="gelu_tanh", epsilon=1e-5)
    assert (loaded.config, loaded.notes) == (expected, ())
    assert loaded.preprocess.mean == (0.1, 0.2, 0.3)
    ours, kernel = (it.state_dict()["patch_embed.proj.weight"] for it in (loaded.model, theirs))
    assert torch.equal(ours, kernel)
    assert ours.data_ptr() != kernel.data_ptr()


def test_a_state_dict_is_read_as_its_file_would_be(checkpoint: Path) -> None:
    state = ViT(SMALL, seed=4).state_dict()
    for held in (state, {"model": state, "epoch": 3}):
        loaded = load(held)
        assert loaded.config == load(checkpoint).config
        assert all(torch.equal(value, state[name]) for name, value in loaded.model.state_dict().items())


@pytest.mark.parametrize(
    ("held", "says"),
    [
        (5, "a int cannot be loaded; give a name such as demo, a checkpoint's file, a model"),
        (None, "a NoneType cannot be loaded"),
        ({}, "this state dict holds no tensors by name; give a model"),
        (nn.GELU(), "this model holds no tensors by name"),
        (nn.Linear(2, 2), "this model is no Vision Transformer whose names are known here .* it holds weight, bias"),
        (ViT(SMALL).to("meta"), "has a shape and no numbers"),
        (AsTimm(SMALL).to("meta"), "has a shape and no numbers"),
        ({**ViT(SMALL).state_dict(), "head.bias": torch.full((5,), torch.nan)}, "head.bias holds infinite numbers"),
    ],
)
def test_what_cannot_be_loaded_says_what_can(held: Any, says: str) -> None:
    with pytest.raises(WeightsError, match=says) as error:
        load(held)
    assert "\n" not in str(error.value)
