"""The trace: its names are pinned, its bytes counted, and a stage run again gives the same bits."""

from typing import Any

import pytest
import torch
from torch import Tensor

from vitviz.config import ViTConfig
from vitviz.model import ViT
from vitviz.recording import into
from vitviz.trace import Trace, record

FAMILIES: list[dict[str, Any]] = [
    {},
    {"distilled": True},
    {"registers": 4, "prefix_positions": False, "layer_scale": True, "activation": "swiglu"},
    {"input_norm": True, "patch_bias": False, "activation": "quick_gelu"},
    {"patch_norm": True},
    {"pool": "attention", "activation": "gelu_tanh"},
    {"norm_order": "post", "norm": "rms", "qkv_bias": False},
    {"attention": "window", "window": 1, "qk_norm": True},
    {"attention": "linear", "head_dim": 5},
    {"score_scale": 1.0, "positions": "relative"},
    {"positions": "rotary", "head_dim": 8},
    {"norm": "batch", "pre_logits": 7},
    {"norm": "rms", "pool": "mean", "pre_logits": 7},
    {"norm_order": "post", "layer_scale": True, "pool": "flatten"},
]


def test_the_trace_keeps_these_names_in_this_order(tiny_trace: Trace) -> None:
    assert tiny_trace.names == (
        "image",
        "embed.resid_post",
        "blocks.0.resid_post",
        "blocks.1.resid_post",
        "blocks.2.resid_post",
        "logits",
    )


def test_zooming_in_shows_these_names_in_this_order(tiny_trace: Trace) -> None:
    assert tiny_trace.embedding().names == ("patches", "patch_tokens", "resid_post")
    assert tiny_trace.inside(1).names == (
        "norm1",
        "attn.q",
        "attn.k",
        "attn.v",
        "attn.scores",
        "attn.weights",
        "attn.z",
        "attn.out",
        "resid_mid",
        "norm2",
        "mlp.hidden",
        "mlp.active",
        "mlp.out",
        "resid_post",
    )
    assert tiny_trace.readout().names == ("norm", "logits")
    assert tiny_trace.inside(1)["attn.q"].name == "blocks.1.attn.q"


def test_axes_name_every_dimension(tiny_trace: Trace) -> None:
    stages = [tiny_trace, tiny_trace.embedding(), tiny_trace.inside(0), tiny_trace.readout()]
    for activation in [activation for stage in stages for activation in stage.values()]:
        outside = activation.axes.replace("(c ph pw)", "patch_values")
        assert len(outside.split()) == activation.tensor.ndim, activation.name


def test_the_trace_holds_what_the_formula_says(tiny_trace: Trace) -> None:
    config = tiny_trace.config
    image = 4 * config.channels * config.image_sides[0] ** 2
    assert tiny_trace.nbytes == 4 * (config.depth + 1) * config.tokens * config.dim + image + 4 * config.classes


def test_a_stage_run_again_is_the_same_to_the_last_bit(tiny_trace: Trace) -> None:
    assert torch.equal(tiny_trace.embedding()["resid_post"].tensor, tiny_trace["embed.resid_post"].tensor)
    for layer in range(tiny_trace.config.depth):
        again = tiny_trace.inside(layer)["resid_post"].tensor
        assert torch.equal(again, tiny_trace[f"blocks.{layer}.resid_post"].tensor)
    assert torch.equal(tiny_trace.readout()["logits"].tensor, tiny_trace["logits"].tensor)


def test_recording_does_not_change_the_answer(tiny_model: ViT, tiny_trace: Trace) -> None:
    assert torch.equal(tiny_model(tiny_trace["image"].tensor), tiny_trace["logits"].tensor)


def test_the_residual_stream_adds_up(tiny_trace: Trace) -> None:
    inside = tiny_trace.inside(1)
    middle = tiny_trace.residual_stream(1) + inside["attn.out"].tensor
    torch.testing.assert_close(inside["resid_mid"].tensor, middle)
    torch.testing.assert_close(inside["resid_post"].tensor, middle + inside["mlp.out"].tensor)


def test_written_out_attention_is_the_fused_attention(tiny_trace: Trace) -> None:
    inside = tiny_trace.inside(2)
    weights = inside["attn.weights"].tensor
    torch.testing.assert_close(weights.sum(dim=-1), torch.ones(weights.shape[:-1]))
    torch.testing.assert_close(weights @ inside["attn.v"].tensor, inside["attn.z"].tensor)


@pytest.mark.parametrize("changes", FAMILIES, ids=str)
def test_a_forward_goes_on_with_whatever_record_returns(tiny_config: ViTConfig, changes: dict[str, Any]) -> None:
    draw = torch.Generator().manual_seed(0)
    model = ViT(tiny_config.with_(**changes), seed=2).double()  # in which rounding is far below the smallest effect
    image = torch.randn(1, 3, 32, 32, generator=draw).double()
    values: dict[str, Tensor] = {}
    plain = model(image, into(values))
    torch.testing.assert_close(model(image, lambda name, value: value.clone()), plain)
    noise = {name: torch.randn(value.shape, generator=draw) for name, value in values.items()}
    for changed in values:
        edited = model(image, lambda name, value, it=changed: value + noise[name] if name == it else value)
        assert (edited - plain).abs().max() > 1e-9, changed


def test_a_head_set_to_zero_is_the_same_as_its_columns_of_the_output_projection(tiny_config: ViTConfig) -> None:
    model, image, dh = ViT(tiny_config, seed=2), torch.ones(1, 3, 32, 32), tiny_config.head_dim

    def without_head_2(name: str, value: Tensor) -> Tensor:
        return value.index_fill(1, torch.tensor([2]), 0) if name == "blocks.1.attn.z" else value

    trace = record(model, image, without_head_2)
    with torch.no_grad():
        model.get_parameter("blocks.1.attn.proj.weight")[:, 2 * dh : 3 * dh] = 0
    torch.testing.assert_close(trace["logits"].tensor, model(image))
    assert torch.equal(trace["blocks.1.resid_post"].tensor, trace.residual_stream(2))


def test_recording_leaves_nothing_on_the_model(tiny_model: ViT) -> None:
    before = {name: set(vars(module)) for name, module in tiny_model.named_modules()}
    record(tiny_model, torch.zeros(1, 3, 32, 32)).inside(0)
    assert {name: set(vars(module)) for name, module in tiny_model.named_modules()} == before


def test_an_unknown_name_or_layer_says_what_there_is(tiny_trace: Trace) -> None:
    with pytest.raises(KeyError, match=r"no activation 'blocks.7.resid_post' here; there are image, embed.resid_post"):
        tiny_trace["blocks.7.resid_post"]
    with pytest.raises(IndexError, match="layer 4 is outside 0 to 3 of a model with 3 blocks"):
        tiny_trace.residual_stream(4)
