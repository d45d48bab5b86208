"""Who looks at whom: rows that sum to 1, one story told by several measures, and statistics with known answers."""

from math import log, sqrt
from pathlib import Path

import numpy as np
import pytest
import torch

from vitviz import measures
from vitviz.config import ViTConfig
from vitviz.edits import Edits
from vitviz.machine.device import DeviceError
from vitviz.measures import attention
from vitviz.model import ViT
from vitviz.trace import Trace, record


def traced(config: ViTConfig, seed: int = 0) -> Trace:
    """The trace of a random picture through an untrained model."""
    return record(
        ViT(config, seed), torch.randn(1, 3, *config.image_sides, generator=torch.Generator().manual_seed(seed))
    )


def sharpened(trace: Trace, factor: float) -> Trace:
    """The same with queries and keys `factor` times as large: attention that has something to show."""
    model = ViT(trace.config, seed=1)
    sharper = Trace(model, {})
    with torch.no_grad():
        for layer in range(trace.config.depth):
            sharper.block(layer).attn.qkv.weight[: 2 * trace.config.dim].mul_(factor)
    return record(model, trace["image"].tensor)


@pytest.fixture(scope="module")
def sharp(tiny_trace: Trace) -> Trace:
    return sharpened(tiny_trace, 30)


def test_rows_sum_to_one_and_agree_with_the_trace(sharp: Trace) -> None:
    for layer in range(3):
        weights = measures.attention_weights(sharp, layer)
        np.testing.assert_allclose(weights.sum(axis=-1), 1, atol=1e-6)
        np.testing.assert_allclose(weights, sharp.inside(layer)["attn.weights"].tensor[0], atol=1e-6)
        assert weights.max() > 0.5


@pytest.mark.parametrize(
    "text", ["d=0.5@7", "p5", "p5=removed", "e=shuffled@3", "s=none", "t2=0.25", "k2=3", "w=1", "h1.1*0", "l=0.5@3"]
)
def test_attention_weights_are_of_one_stage_wherever_they_are_made(text: str, sharp: Trace) -> None:
    """Those of softmax, before dropout: in measures, rows, columns, and among all values of a block."""
    edited = record(sharp.model, sharp["image"].tensor, edits=Edits.parse(text, sharp.config))
    for layer in range(3):
        weights = measures.attention_weights(edited, layer)
        np.testing.assert_allclose(weights.sum(axis=-1), 1, atol=1e-6)
        np.testing.assert_allclose(weights, edited.inside(layer)["attn.weights"].tensor[0], atol=1e-6)
        np.testing.assert_allclose(weights[:, 5], measures.attention_row(edited, layer, 5), atol=1e-5)
        np.testing.assert_array_equal(weights[..., 5], measures.attention_column(edited, layer, 5))


@pytest.mark.parametrize("token", [0, 1, 16])
def test_row_and_column_are_those_of_the_matrix(sharp: Trace, token: int) -> None:
    weights = measures.attention_weights(sharp, 1)
    np.testing.assert_allclose(measures.attention_row(sharp, 1, token), weights[:, token], atol=1e-5)
    np.testing.assert_array_equal(measures.attention_column(sharp, 1, token), weights[:, :, token])


def test_columns_share_out_one_per_query(sharp: Trace) -> None:
    columns = np.stack([measures.attention_column(sharp, 2, key) for key in range(17)])
    np.testing.assert_allclose(columns.sum(axis=0), 1, atol=1e-6)


def test_a_walk_takes_the_steps_of_the_model(sharp: Trace) -> None:
    inside = sharp.inside(1)
    step = attention.attention_steps(sharp, layer=1, head=2, query=5)
    np.testing.assert_array_equal(step.q, inside["attn.q"].tensor[0, 2, 5])
    np.testing.assert_array_equal(step.keys, inside["attn.k"].tensor[0, 2])
    np.testing.assert_array_equal(step.values, inside["attn.v"].tensor[0, 2])
    np.testing.assert_allclose(step.products, (step.keys * step.q).sum(axis=1), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(step.scores, inside["attn.scores"].tensor[0, 2, 5], rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(step.weights, inside["attn.weights"].tensor[0, 2, 5], atol=1e-6)
    np.testing.assert_allclose(step.z, inside["attn.z"].tensor[0, 2, 5], atol=1e-6)


def test_the_numbers_of_a_walk_add_up(sharp: Trace) -> None:
    step = attention.attention_steps(sharp, layer=0, head=3, query=0)
    assert step.exponentials.max() == 1
    assert step.denominator == pytest.approx(step.exponentials.sum(), rel=1e-6)
    np.testing.assert_allclose(step.weights, step.exponentials / step.denominator, rtol=1e-6)
    assert step.weights.sum() == pytest.approx(1, abs=1e-6)
    np.testing.assert_allclose(step.z, step.weights @ step.values, atol=1e-6)


def test_written_out_attention_is_the_fused_one(sharp: Trace) -> None:
    difference = attention.fused_difference(sharp, 2)
    assert 0 <= difference.relative < 1e-5
    largest = float(sharp.inside(2)["attn.z"].tensor.abs().max())
    assert difference.largest == pytest.approx(difference.relative * largest, rel=1e-4)


def test_another_attention_is_told_from_the_fused_one(sharp: Trace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vitviz.model.attention", lambda q, k, v, **_: (q @ k.transpose(-1, -2)).softmax(dim=-1) @ v)
    assert attention.fused_difference(sharp, 2).relative > 1e-2


def test_rollout_is_the_product_of_half_attention_and_half_identity(sharp: Trace) -> None:
    steps = measures.rollout(sharp)
    np.testing.assert_allclose(steps.sum(axis=-1), 1, atol=1e-6)
    expected = np.eye(17)
    for layer in range(3):
        expected = (measures.attention_weights(sharp, layer).mean(axis=0) + np.eye(17)) / 2 @ expected
        np.testing.assert_allclose(steps[layer], expected, atol=1e-6)
    assert (steps[2].diagonal() >= 0.5**3).all()


def test_one_pass_tells_what_single_measures_tell(sharp: Trace) -> None:
    by_layer = attention.attention_by_layer(sharp)
    np.testing.assert_array_equal(by_layer.rollout, measures.rollout(sharp))
    assert by_layer.class_map is not None
    np.testing.assert_allclose(by_layer.class_map, measures.class_attention(sharp).mean(axis=1), atol=1e-5)
    weights = measures.attention_weights(sharp, 1).astype(np.float64)
    np.testing.assert_allclose(by_layer.entropy[1], -(weights * np.log(weights)).sum(-1).mean(-1), atol=1e-5)
    among = weights[:, 1:, 1:] / weights[:, 1:, 1:].sum(axis=-1, keepdims=True)
    apart = attention.patch_distances(4, 4).numpy()
    np.testing.assert_allclose(by_layer.distance[1], (among * apart).sum(axis=-1).mean(axis=-1), atol=1e-5)


def test_distance_and_entropy_have_names_of_their_own(sharp: Trace) -> None:
    by_layer = attention.attention_by_layer(sharp)
    np.testing.assert_array_equal(measures.attention_distance(sharp), by_layer.distance)
    np.testing.assert_array_equal(measures.attention_entropy(sharp), by_layer.entropy)


def test_every_measure_that_is_offered_says_what_it_returns() -> None:
    for name in measures.__all__:
        described = getattr(measures, name).__doc__
        assert described, name
        assert name not in {path.stem for path in Path(measures.__file__).parent.iterdir()}, "a module would be hidden"


def test_uniform_attention_has_the_uniform_numbers(tiny_trace: Trace) -> None:
    by_layer = attention.attention_by_layer(sharpened(tiny_trace, 0))
    np.testing.assert_allclose(by_layer.entropy, log(17), rtol=1e-6)
    np.testing.assert_allclose(by_layer.distance, by_layer.uniform_distance, rtol=1e-5)
    assert by_layer.class_map is not None
    np.testing.assert_allclose(by_layer.class_map, 1 / 17, rtol=1e-5)


def test_attention_to_one_token_has_no_entropy_and_its_distance(tiny_trace: Trace) -> None:
    model = ViT(tiny_trace.config, seed=1)
    with torch.no_grad():
        model.pos_embed[:] = 0
        model.pos_embed[0, 1] = 1e4 * torch.randn(24, generator=torch.Generator().manual_seed(3))  # the first patch
        attn = Trace(model, {}).block(0).attn
        attn.qkv.weight[:48] = 0
        attn.qkv.bias[:24] = 100
        attn.qkv.weight[24:48] = torch.nn.functional.normalize(model.pos_embed[0, 1], dim=0)
    by_layer = attention.attention_by_layer(record(model, torch.zeros(1, 3, 32, 32)))
    to_first = np.mean([sqrt(row**2 + column**2) for row in range(4) for column in range(4)])
    np.testing.assert_allclose(by_layer.entropy[0], 0, atol=1e-4)
    np.testing.assert_allclose(by_layer.distance[0], to_first, rtol=1e-4)


def test_distances_are_those_between_patch_centres() -> None:
    apart = attention.patch_distances(3, 4)
    assert apart.shape == (12, 12)
    assert apart[0, 11] == pytest.approx(sqrt(2**2 + 3**2))
    assert apart[5, 6] == 1
    torch.testing.assert_close(apart, apart.T)
    assert not apart.diagonal().any()


@pytest.mark.parametrize(
    "change",
    [{"distilled": True}, {"registers": 3}, {"pool": "attention"}, {"image_size": 8}, {"heads": 1, "depth": 1}],
    ids=str,
)
def test_every_kind_of_model_can_be_measured(tiny_config: ViTConfig, change: dict[str, int]) -> None:
    config = tiny_config.with_(**change)
    trace = traced(config)
    by_layer = attention.attention_by_layer(trace)
    assert by_layer.distance.shape == by_layer.entropy.shape == (config.depth, config.heads)
    assert np.isfinite(by_layer.distance).all()
    assert (by_layer.class_map is None) == ("class" not in config.prefix_tokens)
    assert attention.attention_steps(trace, 0, 0, config.tokens - 1).weights.shape == (config.tokens,)
    assert attention.fused_difference(trace, config.depth - 1).relative < 1e-5


def test_half_precision_still_sums_to_one(tiny_trace: Trace) -> None:
    trace = record(ViT(tiny_trace.config, seed=1).bfloat16(), tiny_trace["image"].tensor.bfloat16())
    np.testing.assert_allclose(measures.attention_weights(trace, 0).sum(axis=-1), 1, atol=1e-6)
    np.testing.assert_allclose(measures.attention_row(trace, 0, 3).sum(axis=-1), 1, atol=1e-6)
    assert attention.attention_steps(trace, 0, 0, 3).weights.sum() == pytest.approx(1, abs=1e-6)
    assert 1e-6 < attention.fused_difference(trace, 0).relative < 0.1


def test_attention_too_large_for_the_memory_is_a_sentence() -> None:
    config = ViTConfig(image_size=2048, patch_size=1, dim=8, depth=1, heads=8, mlp_dim=8, classes=1)
    with torch.device("meta"):
        model = ViT(config)
    trace = Trace(model, {"image": torch.empty(1, 3, 1, 1), "embed.resid_post": torch.empty(1, 1, 8)})
    with pytest.raises(DeviceError, match=r"8 × 4,194,305 × 4,194,305 weights needs .* GB free; choose"):
        measures.attention_weights(trace, 0)
