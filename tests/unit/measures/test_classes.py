"""The read-out, measured against the model's own answer."""

from typing import Any

import numpy as np
import pytest
import torch

from vitviz.config import ViTConfig
from vitviz.measures.classes import answer, best, head_inputs, head_parameters, logit_lens, named_classes, result
from vitviz.model import ViT
from vitviz.trace import Trace, record


def recorded(config: ViTConfig, **changes: int | str) -> Trace:
    """The trace of one random picture through a model like the tiny one."""
    model = ViT(config.with_(**changes), seed=2)
    return record(model, torch.randn(1, 3, *config.image_sides, generator=torch.Generator().manual_seed(0)))


def test_the_last_read_out_is_the_models_own_answer(tiny_trace: Trace) -> None:
    given = answer(tiny_trace, tiny_trace.config.depth)
    np.testing.assert_array_equal(given.logits, tiny_trace["logits"].tensor[0])
    np.testing.assert_allclose(given.probabilities, tiny_trace["logits"].tensor[0].softmax(dim=-1), atol=1e-7)
    assert given.probabilities.sum() == pytest.approx(1)
    np.testing.assert_allclose(given.heads, given.logits[None], atol=1e-6)
    assert given.stream.shape == given.normalised.shape == (1, tiny_trace.config.dim)


def test_the_lens_reads_every_place_and_ends_with_the_answer(tiny_trace: Trace) -> None:
    lens = logit_lens(tiny_trace)
    assert lens.shape == (tiny_trace.config.depth + 1, tiny_trace.config.classes)
    np.testing.assert_allclose(lens.sum(axis=1), 1, atol=1e-6)
    np.testing.assert_array_equal(lens[1], answer(tiny_trace, 1).probabilities)
    np.testing.assert_array_equal(lens[-1], answer(tiny_trace, tiny_trace.config.depth).probabilities)


def test_a_distilled_model_averages_the_logits_of_two_different_heads(tiny_config: ViTConfig) -> None:
    trace = recorded(tiny_config, distilled=True)
    given = answer(trace, tiny_config.depth)
    assert given.heads.shape == (2, tiny_config.classes)
    assert np.abs(given.heads[0] - given.heads[1]).max() > 0.01
    np.testing.assert_allclose(given.heads.mean(axis=0), given.logits, atol=1e-6)
    np.testing.assert_array_equal(given.logits, trace["logits"].tensor[0])


def test_without_a_head_there_is_a_class_token_and_no_answer(tiny_config: ViTConfig) -> None:
    trace = recorded(tiny_config, classes=0)
    given = answer(trace, tiny_config.depth)
    np.testing.assert_array_equal(given.normalised[0], trace["logits"].tensor[0])
    assert given.logits.size == given.probabilities.size == len(given.best(5)) == 0
    assert logit_lens(trace).shape == (tiny_config.depth + 1, 0)


def test_the_only_class_has_probability_1(tiny_config: ViTConfig) -> None:
    assert answer(recorded(tiny_config, classes=1), tiny_config.depth).probabilities.tolist() == [1]


@pytest.mark.parametrize("changes", [{"registers": 3}, {"pool": "attention"}], ids=str)
def test_only_tokens_that_a_head_reads_are_shown(tiny_config: ViTConfig, changes: dict[str, Any]) -> None:
    trace = recorded(tiny_config, **changes)
    given = answer(trace, tiny_config.depth)
    assert len(given.stream) == len(given.normalised) == (0 if "pool" in changes else 1)
    np.testing.assert_allclose(given.heads, trace["logits"].tensor, atol=1e-6)


def test_the_best_classes_come_first_and_of_equals_the_first() -> None:
    probabilities = np.array([0.1, 0.3, 0.1, 0.5], np.float32)
    assert [best(probabilities, most) for most in (1, 3, 4, 9)] == [[3], [3, 1, 0], [3, 1, 0, 2], [3, 1, 0, 2]]
    random = np.random.default_rng(0).integers(0, 50, 1000).astype(np.float32)  # many equals
    assert best(random, 70) == np.argsort(-random, kind="stable")[:70].tolist()


def test_named_classes_are_those_that_win_somewhere_and_the_best_at_the_end() -> None:
    lens = np.array([[0.1, 0.1, 0.1, 0.7], [0.4, 0.3, 0.2, 0.1], [0.1, 0.6, 0.2, 0.1]], np.float32)
    assert named_classes(lens, most=3) == [1, 0, 3]
    assert named_classes(lens, most=2) == [1, 0]
    assert named_classes(lens, most=9) == [1, 2, 0, 3]
    assert named_classes(np.zeros((3, 0), np.float32), most=5) == []


@pytest.mark.parametrize("changes", [{}, {"distilled": True}, {"pool": "attention"}], ids=str)
def test_tokens_times_the_heads_weights_are_the_logits(tiny_config: ViTConfig, changes: dict[str, Any]) -> None:
    trace = recorded(tiny_config, **changes)
    given, head = answer(trace, tiny_config.depth), head_parameters(trace)
    made = np.einsum("hd,hcd->hc", head_inputs(trace, tiny_config.depth), head.weights) + head.biases
    np.testing.assert_allclose(made, given.heads, atol=1e-6)
    np.testing.assert_allclose(made.mean(axis=0), result(trace), atol=1e-6)


@pytest.mark.parametrize("changes", [{}, {"pool": "attention"}], ids=str)
def test_without_a_head_the_result_is_the_vector_that_one_would_read(
    tiny_config: ViTConfig, changes: dict[str, Any]
) -> None:
    trace = recorded(tiny_config, classes=0, **changes)
    assert result(trace).shape == (tiny_config.dim,)
    np.testing.assert_array_equal(result(trace), trace["logits"].tensor[0])
