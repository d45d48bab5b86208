"""Other attention than the paper's: each against a reference written out in the plainest way."""

from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from tests.unit.switches.test_positions import model_of, picture
from vitviz.config import ConfigError, ViTConfig
from vitviz.counts import mac_split, total_macs, total_parameters
from vitviz.edits import Edits
from vitviz.measures.attention import attention_row, attention_steps, attention_weights, fused_difference
from vitviz.trace import Trace, record

VARIANTS: list[dict[str, Any]] = [
    {"attention": "top_k", "top_k": 3},
    {"attention": "window", "window": 1},
    {"attention": "linear"},
    {"score_scale": 1.0},
    {"head_dim": 5, "qk_norm": True},
    {"head_dim": 8, "positions": "rotary", "qk_norm": True},
    {"head_dim": 12, "attention": "top_k", "top_k": 2, "positions": "relative", "score_scale": 0.5},
]


def trace_of(config: ViTConfig, **changes: Any) -> Trace:
    return record(model_of(config, **changes), picture()[:1])


def inside(trace: Trace, name: str) -> Tensor:
    return trace.inside(1)[name].tensor[0]


def test_top_k_keeps_the_largest_scores_of_each_query(tiny_config: ViTConfig) -> None:
    trace = trace_of(tiny_config, attention="top_k", top_k=3)
    q, k, v = (inside(trace, f"attn.{name}") for name in "qkv")
    for head in range(tiny_config.heads):
        for token in range(tiny_config.tokens):
            scores = {key: float(q[head, token] @ k[head, key]) / 6**0.5 for key in range(tiny_config.tokens)}
            kept = sorted(scores, key=scores.__getitem__, reverse=True)[:3]
            shares = torch.tensor([scores[key] for key in kept]).softmax(dim=0)
            expected = sum(share * v[head, key] for share, key in zip(shares, kept, strict=True))
            torch.testing.assert_close(inside(trace, "attn.z")[head, token], expected, atol=1e-5, rtol=1e-4)
    weights = attention_weights(trace, 1)
    assert ((weights > 0).sum(axis=-1) <= 3).all()


def test_more_keys_than_tokens_and_a_wide_window_are_full_attention(tiny_config: ViTConfig) -> None:
    expected = model_of(tiny_config)(picture())
    for changes in (
        {"attention": "top_k", "top_k": 17},
        {"attention": "window", "window": 3},
        {"score_scale": 6**-0.5},
    ):
        torch.testing.assert_close(model_of(tiny_config, **changes)(picture()), expected, atol=2e-5, rtol=1e-4)


def test_who_is_seen_in_a_window_depends_on_the_offset_alone(tiny_config: ViTConfig) -> None:
    seen = attention_weights(trace_of(tiny_config, attention="window", window=1), 0) > 0
    assert seen[:, 0].all()
    assert seen[:, :, 0].all()
    for q in range(16):
        for k in range(16):
            apart = max(abs(q // 4 - k // 4), abs(q % 4 - k % 4))
            assert (seen[:, 1 + q, 1 + k] == (apart <= 1)).all()


def test_linear_attention_is_the_same_with_all_its_weights_written_out(tiny_config: ViTConfig) -> None:
    trace = trace_of(tiny_config, attention="linear")
    q, k, v = (inside(trace, f"attn.{name}") for name in "qkv")
    shares = (F.elu(q) + 1) @ (F.elu(k) + 1).mT
    weights = shares / shares.sum(dim=-1, keepdim=True)
    torch.testing.assert_close(weights @ v, inside(trace, "attn.z"), atol=1e-4, rtol=1e-4)
    np.testing.assert_allclose(attention_weights(trace, 1), weights.numpy(), atol=1e-5)


def test_linear_attention_grows_with_the_tokens_and_not_with_their_square() -> None:
    def of(name: str, **changes: Any) -> int:
        config = ViTConfig(pool="mean", attention="linear").with_(**changes)
        return {item.name: item.count for item in mac_split(config)}[name]

    assert of("KᵀV", image_size=448) == 4 * of("KᵀV") == 4 * 12 * 12 * 196 * 64 * 64
    assert of("Q(KᵀV)", image_size=448) == 4 * of("Q(KᵀV)")


@pytest.mark.parametrize("changes", VARIANTS, ids=str)
def test_measures_see_the_attention_that_ran(tiny_config: ViTConfig, changes: dict[str, Any]) -> None:
    trace = trace_of(tiny_config, **changes)
    weights = attention_weights(trace, 1)
    np.testing.assert_allclose(weights, inside(trace, "attn.weights").numpy(), atol=1e-5)
    np.testing.assert_allclose(attention_row(trace, 1, 4), weights[:, 4], atol=1e-5)
    np.testing.assert_allclose(weights.sum(axis=-1), 1, atol=1e-5)
    steps = attention_steps(trace, 1, 2, 4)
    np.testing.assert_allclose(steps.weights, weights[2, 4], atol=1e-5)
    np.testing.assert_allclose(steps.z, inside(trace, "attn.z")[2, 4].numpy(), atol=1e-4)
    assert fused_difference(trace, 1).relative < 1e-4
    assert torch.equal(trace.inside(1)["resid_post"].tensor, trace.residual_stream(2))


def test_edits_go_on_from_what_the_model_does(tiny_config: ViTConfig) -> None:
    model = model_of(tiny_config, attention="window", window=1)
    hidden = record(model, picture()[:1], edits=Edits.parse("p1=masked", model.config))
    weights = attention_weights(hidden, 1)
    seen = attention_weights(record(model, picture()[:1]), 1) > 0
    assert not weights[:, :, 1].any()
    assert ((weights > 0) <= seen).all()


def test_queries_and_keys_are_normalised_head_by_head(tiny_config: ViTConfig) -> None:
    trace = trace_of(tiny_config, qk_norm=True)
    block = trace.block(1)
    x = block.reads(trace.entering(1))
    q = F.linear(x, block.attn.qkv.weight, block.attn.qkv.bias)[0, :, :24].view(17, 4, 6).transpose(0, 1)
    scale, shift = (block.attn.get_parameter(f"q_norm.{leaf}") for leaf in ("weight", "bias"))
    torch.testing.assert_close(inside(trace, "attn.q"), F.layer_norm(q, (6,), scale, shift, 1e-6), atol=1e-4, rtol=1e-4)


def test_counts_of_free_heads_and_normalised_queries() -> None:
    assert total_parameters(ViTConfig(qk_norm=True)) == 86_570_728
    free = ViTConfig(heads=8, head_dim=64)
    assert total_parameters(ViTConfig()) - total_parameters(free) == 12 * (4 * 768 * 256 + 3 * 256)
    assert total_macs(ViTConfig(attention="top_k")) == total_macs(ViTConfig())
    assert ViTConfig(head_dim=64) == ViTConfig()
    assert ViTConfig().with_(dim=384).head_dim == 32
    assert free.with_(dim=384).head_dim == 64
    assert ViTConfig(dim=100, heads=3, head_dim=7).head_dim == 7


@pytest.mark.parametrize(
    ("changes", "way_out"),
    [
        ({"attention": "linear", "positions": "relative"}, "choose attention full, top_k or window, or"),
        ({"attention": "linear", "score_scale": 1.0}, "choose attention full, top_k or window, or"),
        ({"score_scale": 0.0}, "1 leaves q·k as it is"),
        ({"top_k": 0}, "the nearest legal value is 1"),
    ],
    ids=str,
)
def test_what_cannot_be_is_said_with_the_way_out(changes: dict[str, Any], way_out: str) -> None:
    with pytest.raises(ConfigError, match=way_out):
        ViTConfig(**changes)
