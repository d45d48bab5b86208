"""The switches of the architecture, counted and named: each of them changes the model, and off it is the paper's."""

from dataclasses import fields
from typing import Any

import torch

from tests.cases import each
from tests.unit.switches.test_positions import model_of
from vitviz.config import ViTConfig
from vitviz.edits import Edits
from vitviz.model import ViT
from vitviz.trace import record

SIZES = {"dim", "depth", "heads", "mlp_dim", "classes"}
BESIDE = {"epsilon", "top_k", "window"}  # how much of a switch, and what norms add
# Each switch and another value than the paper's, with what that value cannot be without.
SWITCHES: dict[str, dict[str, Any]] = {
    "image_size": {"image_size": (32, 64)},
    "patch_size": {"patch_size": (8, 16)},
    "channels": {"channels": 1},
    "distilled": {"distilled": True},
    "registers": {"registers": 2},
    "prefix_positions": {"prefix_positions": False},
    "patch_norm": {"patch_norm": True},
    "patch_bias": {"patch_bias": False},
    "input_norm": {"input_norm": True},
    "layer_scale": {"layer_scale": True},
    "activation": {"activation": "swiglu"},
    "pool": {"pool": "flatten"},
    "positions": {"positions": "rotary", "head_dim": 8},
    "positions_at": {"positions_at": "every_layer"},
    "qkv_bias": {"qkv_bias": False},
    "pre_logits": {"pre_logits": 7},
    "norm_order": {"norm_order": "post"},
    "norm": {"norm": "rms"},
    "initial": {"initial": "normal"},
    "head_dim": {"head_dim": 5},
    "score_scale": {"score_scale": 1.0},
    "attention": {"attention": "top_k", "top_k": 3},
    "qk_norm": {"qk_norm": True},
    "stem": {"stem": "conv"},
    "dropout": {"dropout": 0.2},
    "drop_path": {"drop_path": 0.5},
    "keep_class_token": {"keep_class_token": True, "pool": "mean"},
    "norm_after_pooling": {"norm_after_pooling": True, "pool": "mean"},
}


def test_there_are_at_least_two_dozen_and_each_is_a_field() -> None:
    assert set(SWITCHES) == {field.name for field in fields(ViTConfig)} - SIZES - BESIDE
    assert len(SWITCHES) >= 24


def lifted(model: ViT) -> ViT:
    """The same model with no parameter at 0, so that biases show too."""
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.1)
    return model


def picture(config: ViTConfig) -> torch.Tensor:
    return torch.randn(1, config.channels, *config.image_sides, generator=torch.Generator().manual_seed(5))


@each(SWITCHES)
def test_off_it_is_the_model_of_before_and_on_another_one(name: str, tiny_config: ViTConfig) -> None:
    off = tiny_config.with_(**{name: getattr(tiny_config, name)})
    assert torch.equal(ViT(off)(picture(off)), ViT(tiny_config)(picture(tiny_config)))
    on = tiny_config.with_(**SWITCHES[name])
    if name in ("image_size", "patch_size", "channels"):
        assert ViT(on)(picture(on)).shape == (1, tiny_config.classes)
        return
    usual = lifted(model_of(tiny_config))(picture(tiny_config))
    model = lifted(model_of(on))
    seeded = record(model, picture(on), edits=Edits.in_training(on, 3))["logits"].tensor
    assert not torch.equal(seeded, usual)
