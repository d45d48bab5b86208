"""Answers with other position embeddings than the model's own."""

import numpy as np
import pytest
import torch

from vitviz.measures.classes import answer
from vitviz.measures.positions import probabilities_with_shuffled_positions, probabilities_without_positions
from vitviz.model import ViT
from vitviz.trace import Trace, record


def test_other_positions_give_the_answer_of_a_model_that_has_them(tiny_model: ViT, tiny_trace: Trace) -> None:
    other = ViT(tiny_model.config)
    other.load_state_dict(tiny_model.state_dict())
    with torch.no_grad():
        other.pos_embed[:, 1:] = 0
    expected = answer(record(other, tiny_trace["image"].tensor), tiny_model.config.depth).probabilities
    np.testing.assert_allclose(probabilities_without_positions(tiny_trace), expected, atol=1e-7)


def test_shuffling_keeps_the_same_positions(tiny_trace: Trace) -> None:
    shuffled = probabilities_with_shuffled_positions(tiny_trace)
    np.testing.assert_array_equal(shuffled, probabilities_with_shuffled_positions(tiny_trace))
    assert not np.array_equal(shuffled, answer(tiny_trace, tiny_trace.config.depth).probabilities)
    assert shuffled.sum() == pytest.approx(1, abs=1e-6)
