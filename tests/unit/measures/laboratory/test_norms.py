"""Norms in two batches and other activations: against PyTorch's own layers and against models built with them."""

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from vitviz.config import ViTConfig
from vitviz.measures.laboratory.norms import answer_with, batched, hidden
from vitviz.model import ViT
from vitviz.trace import Trace, record

EPSILON = 1e-5


def tokens(seed: int, count: int) -> Tensor:
    return torch.randn(count, 6, 8, generator=torch.Generator().manual_seed(seed)) * 3 + 1


def two_batches() -> tuple[Tensor, Tensor]:
    own = tokens(0, 1)
    return torch.cat([own, tokens(1, 4)]), torch.cat([own, tokens(2, 4) * 0.2])


def test_both_norms_are_pytorchs() -> None:
    batches = two_batches()
    found = batched(*batches, EPSILON, token=3)
    layer_norm = nn.LayerNorm(8, EPSILON, elementwise_affine=False)
    for at, batch in enumerate(batches):
        batch_norm = nn.BatchNorm1d(8, EPSILON, affine=False, track_running_stats=False)
        by_channel = batch_norm(batch.transpose(1, 2)).transpose(1, 2)  # it wants `b d t`
        np.testing.assert_allclose(found.after[0, at], layer_norm(batch)[0, 3], atol=1e-5)
        np.testing.assert_allclose(found.after[1, at], by_channel[0, 3], atol=1e-5)
    assert found.pictures == 5


def test_only_batch_norm_is_moved_by_other_pictures() -> None:
    one, other = two_batches()
    layer, batch = batched(one, other, EPSILON, token=0).moved
    assert layer == 0
    assert batch > 0.1
    np.testing.assert_array_equal(batched(one, one, EPSILON, token=0).moved, [0, 0])


def test_a_component_is_what_its_mean_and_variance_make_of_it() -> None:
    found = batched(*two_batches(), EPSILON, token=2)
    np.testing.assert_allclose(
        found.after, (found.before - found.mean) / np.sqrt(found.variance + EPSILON), rtol=1e-4, atol=1e-5
    )
    assert np.ptp(found.mean[0], axis=-1).max() == 0


def test_drawn_pairs_are_of_all_tokens_and_not_too_many() -> None:
    own = torch.randn(1, 300, 40, generator=torch.Generator().manual_seed(0))
    pairs = batched(own, own, EPSILON, token=0).pairs
    assert pairs.shape == (2, 2, 500)
    np.testing.assert_array_equal(pairs[:, 0], pairs[:, 1])


def picture(config: ViTConfig) -> Tensor:
    return torch.randn(1, 3, *config.image_sides, generator=torch.Generator().manual_seed(4))


@pytest.mark.parametrize("pool", ["class", "attention"])
def test_the_answer_with_another_activation_is_that_of_a_model_with_it(tiny_config: ViTConfig, pool: str) -> None:
    trace = record(ViT(tiny_config.with_(pool=pool, initial="normal"), seed=3), picture(tiny_config))
    with torch.no_grad():
        for kind in ("gelu", "relu", "quick_gelu"):
            other = ViT(tiny_config.with_(pool=pool, initial="normal", activation=kind), seed=3)
            expected = other(trace["image"].tensor)[0].softmax(dim=-1)
            np.testing.assert_array_equal(answer_with(trace, kind), expected)


def test_of_a_gated_model_the_gate_changes(tiny_config: ViTConfig) -> None:
    model = ViT(tiny_config.with_(activation="swiglu", initial="normal"), seed=3)
    trace = record(model, picture(tiny_config))
    own = trace["logits"].tensor[0].softmax(dim=-1)
    np.testing.assert_array_equal(answer_with(trace, "swiglu"), own)
    assert not np.array_equal(answer_with(trace, "relu"), own)


def test_the_histogram_counts_every_hidden_value(tiny_trace: Trace) -> None:
    found, values = hidden(tiny_trace, 1, 20), tiny_trace.inside(1)["mlp.hidden"].tensor[0].numpy()
    assert found.counts.sum() == values.size == 17 * 48
    assert found.below == pytest.approx((values < 0).mean())
    assert (found.least, found.most) == pytest.approx((values.min(), values.max()))
