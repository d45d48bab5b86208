"""Answers by chance: against a loop over single numbers, and against edits that take the same out by hand."""

import numpy as np
import pytest
import torch

from vitviz.edits import Edits
from vitviz.edits.dropout import dropped_out
from vitviz.measures.laboratory.chance import answers_by_chance, nothing_falls_out, path_rates
from vitviz.model import ViT
from vitviz.trace import Trace, record


def test_without_chance_every_answer_is_the_models_own(tiny_trace: Trace) -> None:
    found = answers_by_chance(tiny_trace, 0, 0, 1, 4)
    own = tiny_trace["logits"].tensor[0].softmax(dim=-1).numpy()
    np.testing.assert_array_equal(found.probabilities, np.stack([own] * 3))
    assert found.fell_out.shape == (3, 3, 2)
    assert not found.fell_out.any()


def test_a_stretch_of_seeds_is_a_part_of_all(tiny_trace: Trace) -> None:
    whole, part = (answers_by_chance(tiny_trace, 0.2, 0.3, first, 7) for first in (1, 4))
    np.testing.assert_array_equal(whole.probabilities[3:], part.probabilities)
    np.testing.assert_array_equal(whole.fell_out[3:], part.fell_out)
    assert len(np.unique(whole.probabilities[:, 0])) == 6


def test_dropout_alone_is_the_edit(tiny_trace: Trace, tiny_model: ViT) -> None:
    found = answers_by_chance(tiny_trace, 0.25, 0, 9, 10)
    edited = record(tiny_model, tiny_trace["image"].tensor, edits=Edits.parse("d=0.25@9", tiny_model.config))
    np.testing.assert_array_equal(found.probabilities[0], edited["logits"].tensor[0].softmax(dim=-1))


def test_drop_path_is_the_scaling_of_every_addition(tiny_trace: Trace, tiny_model: ViT) -> None:
    runs = answers_by_chance(tiny_trace, 0, 0.5, 1, 9)
    for seed in range(1, 9):
        kept = {0: 1, 1: round(1 / 0.75, 3), 2: 2}  # an edit has three digits
        words = [
            f"{letter}{layer + 1}*{0 if runs.fell_out[seed - 1, layer, part] else kept[layer]}"
            for layer in range(3)
            for part, letter in enumerate("am")
        ]
        image, edits = tiny_trace["image"].tensor, Edits.parse(" ".join(words), tiny_model.config)
        answer = record(tiny_model, image, edits=edits)["logits"].tensor[0].softmax(dim=-1)
        np.testing.assert_allclose(runs.probabilities[seed - 1], answer, atol=1e-3)
    assert 0 < runs.fell_out.sum() < runs.fell_out.size


def test_drop_path_takes_as_many_as_its_rates_say(tiny_trace: Trace) -> None:
    rate, total = 0.4, 300
    fell = answers_by_chance(tiny_trace, 0, rate, 0, total).fell_out
    for layer, own_rate in enumerate(path_rates(3, rate)):
        deviation = (own_rate * (1 - own_rate) / (2 * total)) ** 0.5
        assert fell[:, layer].mean() == pytest.approx(own_rate, abs=4 * deviation)
    none = (~fell).all(axis=(1, 2)).mean()
    assert none == pytest.approx(nothing_falls_out(3, rate), abs=0.1)


def test_dropout_keeps_mean_and_its_spread_on_average() -> None:
    value, rate, total = torch.tensor([[1.5, -2.0, 0.25]]), 0.2, 3000
    sums, squares = torch.zeros(3), torch.zeros(3)
    for seed in range(total):
        (once,) = dropped_out(value, rate, seed, site=0)
        sums, squares = sums + once, squares + once**2
    mean = sums / total
    spread = (squares / total - mean**2).sqrt()
    torch.testing.assert_close(mean, value[0], atol=0.05, rtol=0)
    torch.testing.assert_close(spread, value[0].abs() * (rate / (1 - rate)) ** 0.5, atol=0, rtol=0.1)


def test_rates_rise_from_nothing_to_the_last() -> None:
    assert path_rates(4, 0.3) == pytest.approx((0, 0.1, 0.2, 0.3))
    assert path_rates(1, 0.3) == (0,)
    assert nothing_falls_out(2, 0.5) == 0.25
