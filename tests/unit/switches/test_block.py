"""Order and kind of norms, and first values: each against PyTorch's own or its definition."""

from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from tests.unit.switches.test_positions import model_of, picture
from vitviz.config import INITIAL, NORMS, ViTConfig
from vitviz.counts import layer_table, total_macs, total_parameters
from vitviz.measures.attention import attention_row, attention_weights, fused_difference
from vitviz.measures.blocks import additions, block_values, layer_norm
from vitviz.model import ViT
from vitviz.trace import Trace, record


def encoder_layer(model: ViT, layer: int) -> nn.TransformerEncoderLayer:
    """PyTorch's own block with the parameters of one of ours."""
    config = model.config
    theirs = nn.TransformerEncoderLayer(
        config.dim,
        config.heads,
        config.mlp_dim,
        dropout=0,
        activation=config.activation,
        layer_norm_eps=config.epsilon,
        batch_first=True,
        norm_first=config.norm_order == "pre",
    )
    ours = model.blocks[layer].state_dict()
    names = {
        "attn.qkv.weight": "self_attn.in_proj_weight",
        "attn.qkv.bias": "self_attn.in_proj_bias",
        "attn.proj.weight": "self_attn.out_proj.weight",
        "attn.proj.bias": "self_attn.out_proj.bias",
    }
    words = {"mlp.fc1": "linear1", "mlp.fc2": "linear2"}
    renamed = {}
    for name, tensor in ours.items():
        module, _, leaf = name.rpartition(".")
        renamed[names.get(name, f"{words.get(module, module)}.{leaf}")] = tensor
    theirs.load_state_dict(renamed)
    return theirs


@pytest.mark.parametrize("activation", ["gelu", "relu"])
@pytest.mark.parametrize("order", ["pre", "post"])
def test_a_block_is_that_of_pytorch(tiny_config: ViTConfig, order: str, activation: str) -> None:
    model = model_of(tiny_config, norm_order=order, activation=activation)
    trace = record(model, picture())
    with torch.no_grad():
        for layer in range(tiny_config.depth):
            expected = encoder_layer(model, layer)(trace.residual_stream(layer))
            torch.testing.assert_close(trace.residual_stream(layer + 1), expected, atol=2e-5, rtol=1e-5)


def test_orders_have_the_same_parameters_and_multiply_accumulates(tiny_config: ViTConfig) -> None:
    post = tiny_config.with_(norm_order="post")
    assert total_parameters(post) == total_parameters(tiny_config)
    assert total_macs(post) == total_macs(tiny_config)
    order = [row.module for row in layer_table(post) if row.module.startswith("blocks.0.")]
    assert order.index("blocks.0.attn") < order.index("blocks.0.norm1") < order.index("blocks.0.mlp.fc1")
    assert order[-1] == "blocks.0.norm2"


@pytest.mark.parametrize("order", ["pre", "post"])
@pytest.mark.parametrize("kind", NORMS)
def test_measures_read_what_the_block_reads(tiny_config: ViTConfig, order: str, kind: str) -> None:
    model = model_of(tiny_config, norm_order=order, norm=kind)
    trace = record(model, picture()[:1])
    weights = attention_weights(trace, 1)
    np.testing.assert_allclose(weights, trace.inside(1)["attn.weights"].tensor[0].numpy(), atol=1e-5)
    np.testing.assert_allclose(attention_row(trace, 1, 3), weights[:, 3], atol=1e-5)
    assert fused_difference(trace, 1).relative < 1e-5
    for norm in ("norm1", "norm2"):
        it = layer_norm(trace, 1, norm, 4)
        made = (it.before - it.mean) / np.sqrt(it.variance + tiny_config.epsilon) * it.scale + it.shift
        np.testing.assert_allclose(made, it.after, atol=2e-4, rtol=1e-4)
    assert_sums(trace, order)


def assert_sums(trace: Trace, order: str) -> None:
    """What a block adds comes to what its names say."""
    it = block_values(trace, 1)
    middle, leaving = ("sum1", "sum2") if order == "post" else ("middle", "leaving")
    np.testing.assert_allclose(it["stream"] + it["attention"], it[middle], atol=1e-4)
    np.testing.assert_allclose(it["middle"] + it["mlp"], it[leaving], atol=1e-4)
    np.testing.assert_allclose(np.linalg.norm(it["middle"], axis=1), additions(trace, 1).middle, rtol=1e-4)


def test_only_batch_norm_lets_the_other_pictures_change_an_answer(tiny_config: ViTConfig) -> None:
    image = picture()
    other = image.clone()
    other[1] = picture(seed=9)[1]
    for kind in NORMS:
        model = model_of(tiny_config, norm=kind)
        with torch.no_grad():
            moved = (model(image)[0] - model(other)[0]).abs().max()
        assert (moved > 1e-3) == (kind == "batch"), kind


def test_norms_are_what_their_names_say(tiny_config: ViTConfig) -> None:
    def read(kind: str) -> Any:
        return record(ViT(tiny_config.with_(norm=kind)), picture()).inside(0)["norm1"].tensor

    torch.testing.assert_close(read("rms").square().mean(dim=-1), torch.ones(2, 17), atol=1e-2, rtol=0)
    torch.testing.assert_close(read("batch").mean(dim=(0, 1)), torch.zeros(24), atol=1e-5, rtol=0)
    torch.testing.assert_close(read("layer").mean(dim=-1), torch.zeros(2, 17), atol=1e-5, rtol=0)
    assert total_parameters(tiny_config) - total_parameters(tiny_config.with_(norm="rms")) == 7 * 24
    assert total_parameters(tiny_config) == total_parameters(tiny_config.with_(norm="batch"))


def test_first_values(tiny_config: ViTConfig) -> None:
    models = {initial: ViT(tiny_config.with_(initial=initial), seed=3) for initial in INITIAL}
    for initial, deviation in {"trunc_normal": 0.02, "zeros": 0.0, "normal": 1.0}.items():
        weight = models[initial].get_parameter("blocks.1.mlp.fc1.weight")
        assert weight.std().item() == pytest.approx(deviation, rel=0.1)
        assert models[initial].get_parameter("blocks.1.norm1.weight").eq(1).all()
        assert not models[initial].get_parameter("blocks.1.mlp.fc1.bias").any()
    assert torch.equal(models["normal"](picture()), ViT(tiny_config.with_(initial="normal"), seed=3)(picture()))
    maps = attention_weights(record(models["zeros"], picture()), 0)
    np.testing.assert_allclose(maps, 1 / tiny_config.tokens, rtol=1e-6)
