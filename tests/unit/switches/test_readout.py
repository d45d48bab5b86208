"""What the answer is read off, and a hidden layer before the head: each against the same sums written out."""

from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from tests.checkpoints import save
from tests.unit.switches.test_positions import model_of, picture
from vitviz.config import POOLS, ConfigError, ViTConfig
from vitviz.counts import parameters, total_parameters
from vitviz.measures.classes import answer, head_inputs, head_parameters, logit_lens
from vitviz.model import ViT
from vitviz.trace import record
from vitviz.weights import load


def normalised(model: ViT, image: Tensor) -> Tensor:
    return record(model, image).readout()["norm"].tensor


def test_global_average_pooling_is_the_mean_of_the_patches_alone(tiny_config: ViTConfig) -> None:
    model = model_of(tiny_config, pool="mean", registers=2)
    mean = normalised(model, picture())[:, 2:].mean(dim=1)
    assert torch.equal(model.head(mean), model(picture()))
    assert model.config.prefix_tokens == ("register 1", "register 2")


def test_the_last_norm_can_be_that_of_the_mean_beside_a_class_token(tiny_config: ViTConfig) -> None:
    model = model_of(tiny_config, pool="mean", keep_class_token=True, norm_after_pooling=True)
    trace = record(model, picture())
    leaving = trace.residual_stream(tiny_config.depth)
    scale, shift = (model.get_parameter(f"fc_norm.{leaf}") for leaf in ("weight", "bias"))
    mean = leaving[:, 1:].mean(dim=1)
    spread = ((mean - mean.mean(dim=-1, keepdim=True)) ** 2).mean(dim=-1, keepdim=True)
    normed = (mean - mean.mean(dim=-1, keepdim=True)) / (spread + 1e-6).sqrt() * scale + shift
    torch.testing.assert_close(trace["logits"].tensor, model.head(normed))
    assert model.config.prefix_tokens == ("class",)
    assert torch.equal(trace.last_tokens(), leaving)
    torch.testing.assert_close(trace.readout()["fc_norm"].tensor, normed)
    assert "norm" not in trace.readout()
    early = model_of(tiny_config, pool="mean", keep_class_token=True)
    assert torch.equal(early(picture()), early.head(normalised(early, picture())[:, 1:].mean(dim=1)))


def test_flattened_tokens_each_have_weights_of_their_own(tiny_config: ViTConfig) -> None:
    model = model_of(tiny_config, pool="flatten")
    x, weight = normalised(model, picture()), model.get_parameter("head.weight")
    by_token = torch.stack([x[:, token] @ weight[:, token * 24 : (token + 1) * 24].T for token in range(16)])
    assert torch.allclose(by_token.sum(dim=0) + model.get_parameter("head.bias"), model(picture()), atol=1e-4)
    (row,) = (row for row in parameters(model.config) if row.tensor == "head.weight")
    assert (row.count, row.formula, row.shape) == (5 * 16 * 24, "classes·t·d", (5, 16 * 24))


@pytest.mark.parametrize("pool", POOLS)
def test_pre_logits_are_linear_tanh_linear(tiny_config: ViTConfig, pool: str) -> None:
    model = model_of(tiny_config, pool=pool, pre_logits=7)
    layers = torch.nn.Sequential(model.get_submodule("pre_logits.fc"), torch.nn.Tanh(), model.head)
    assert torch.allclose(layers(model.pool(normalised(model, picture()))), model(picture()), atol=1e-6)


@pytest.mark.parametrize("pre_logits", [0, 7])
@pytest.mark.parametrize("pool", POOLS)
def test_what_the_head_reads_makes_the_logits_after_every_layer(
    tiny_config: ViTConfig, pool: str, pre_logits: int
) -> None:
    trace = record(model_of(tiny_config, pool=pool, pre_logits=pre_logits), picture()[:1])
    head = head_parameters(trace)
    for layer in range(tiny_config.depth + 1):
        made = np.einsum("hcd,hd->hc", head.weights, head_inputs(trace, layer)) + head.biases
        np.testing.assert_allclose(made.mean(axis=0), answer(trace, layer).logits, atol=2e-4)
    assert logit_lens(trace).shape == (tiny_config.depth + 1, tiny_config.classes)


@pytest.mark.parametrize("pre_logits", [0, 7])
@pytest.mark.parametrize("pool", POOLS)
def test_without_a_head_the_result_is_what_it_would_read(tiny_config: ViTConfig, pool: str, pre_logits: int) -> None:
    trace = record(model_of(tiny_config, pool=pool, pre_logits=pre_logits, classes=0), picture()[:1])
    read = head_inputs(trace, tiny_config.depth)
    np.testing.assert_array_equal(read, trace["logits"].tensor.numpy())


def test_published_counts() -> None:
    assert total_parameters(ViTConfig(pool="mean")) == 86_566_120
    assert total_parameters(ViTConfig(classes=0, pre_logits=768)) - total_parameters(ViTConfig(classes=0)) == 590_592
    assert total_parameters(ViTConfig(pool="flatten")) == 86_566_120 + 1000 * 195 * 768


@pytest.mark.parametrize("changes", [{"pool": "mean"}, {"pre_logits": 7}, {"pool": "mean", "pre_logits": 9}], ids=str)
def test_files_tell_pooling_and_the_hidden_layer_by_their_tensors(
    tiny_config: ViTConfig, tmp_path: Any, changes: dict[str, Any]
) -> None:
    model = model_of(tiny_config, **changes)
    loaded = load(save(model.state_dict(), tmp_path / "x.safetensors"), heads=tiny_config.heads, device="cpu")
    assert loaded.config == model.config
    assert torch.equal(loaded.model(picture()), model(picture()))


def test_batch_norm_leaves_nothing_to_the_mean_of_one_picture() -> None:
    with pytest.raises(ConfigError, match="of one picture nothing is left; choose norm layer or rms, or pool class"):
        ViTConfig(pool="mean", norm="batch")


@pytest.mark.parametrize("changes", [{"pool": "mean"}, {"pool": "flatten"}, {"pre_logits": 8}], ids=str)
def test_a_distilled_model_reads_its_own_tokens(changes: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="choose pool class and pre_logits 0, or distilled false"):
        ViTConfig(distilled=True, **changes)
