"""Queries, keys and values without biases, against models whose biases are 0 or move."""

from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from tests.checkpoints import save
from tests.unit.switches.test_positions import model_of, picture
from vitviz.config import ACTIVATION_FUNCTIONS, ViTConfig
from vitviz.counts import total_parameters
from vitviz.measures.attention import attention_row, attention_weights
from vitviz.trace import record
from vitviz.weights import load


def test_without_biases_is_with_biases_of_zero(tiny_config: ViTConfig) -> None:
    without, image = model_of(tiny_config, qkv_bias=False), picture()
    with_zeros = model_of(tiny_config)
    with_zeros.load_state_dict(without.state_dict(), strict=False)
    assert not any(parameter.any() for name, parameter in with_zeros.named_parameters() if name.endswith("qkv.bias"))
    assert torch.allclose(without(image), with_zeros(image), atol=1e-5)
    trace = record(without, image)
    for layer in range(tiny_config.depth):
        assert attention_row(trace, layer, 3) == pytest.approx(attention_weights(trace, layer)[:, 3], abs=1e-5)


def test_the_bias_of_the_keys_drops_out_of_the_softmax_and_the_others_do_not(tiny_config: ViTConfig) -> None:
    dim, image = tiny_config.dim, picture()

    def moved(rows: slice) -> Tensor:
        model = model_of(tiny_config)
        with torch.no_grad():
            model.get_parameter("blocks.0.attn.qkv.bias")[rows] += 1
            return model(image)

    usual = model_of(tiny_config)(image)
    q, k, v = (moved(slice(at * dim, (at + 1) * dim)) for at in range(3))
    assert torch.allclose(k, usual, atol=1e-4)
    assert (q - usual).abs().max() > 1e-2 < (v - usual).abs().max()


def test_the_published_count_without_biases() -> None:
    assert total_parameters(ViTConfig(qkv_bias=False)) == 86_540_008


def test_a_file_without_biases_is_read_as_such(tiny_config: ViTConfig, tmp_path: Any) -> None:
    model = model_of(tiny_config, qkv_bias=False)
    loaded = load(save(model.state_dict(), tmp_path / "x.safetensors"), heads=tiny_config.heads, device="cpu")
    assert loaded.config.qkv_bias is False
    assert torch.equal(loaded.model(picture()), model(picture()))


def test_relu_stops_what_is_below_zero(tiny_config: ViTConfig) -> None:
    inside = record(model_of(tiny_config, activation="relu"), picture()).inside(1)
    assert torch.equal(inside["mlp.active"].tensor, F.relu(inside["mlp.hidden"].tensor))
    assert "relu" in ACTIVATION_FUNCTIONS
