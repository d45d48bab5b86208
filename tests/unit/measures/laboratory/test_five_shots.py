"""Few shots: the closed form against PyTorch's least squares, and vectors against what the head reads."""

import numpy as np
import pytest
import torch
from torch import Tensor

from vitviz.config import ViTConfig
from vitviz.measures.laboratory.five_shots import frozen_vectors, read_vector, ridge, tried
from vitviz.model import ViT
from vitviz.trace import Trace, record

CLASSES = [0, 1, 2, 2, 0, 1, 1]


def vectors(count: int, size: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(2, 1, (count, size)).astype(np.float32)


@pytest.mark.parametrize("size", [3, 40])
@pytest.mark.parametrize("penalty", [1e-3, 1.0, 50.0])
def test_the_closed_form_is_least_squares_with_the_penalty_as_further_equations(size: int, penalty: float) -> None:
    x = torch.from_numpy(vectors(7, size)).double()
    targets = torch.full((7, 3), -1.0, dtype=torch.float64)
    targets[range(7), CLASSES] = 1
    with_bias = torch.cat([x, torch.ones(7, 1, dtype=torch.float64)], dim=1)
    penalties = penalty**0.5 * torch.eye(size + 1, dtype=torch.float64)[:size]  # none for the bias
    equations = torch.cat([with_bias, penalties])
    wanted = torch.cat([targets, torch.zeros(size, 3, dtype=torch.float64)])
    solution = torch.linalg.lstsq(equations, wanted, driver="gelsd").solution
    found = ridge(vectors(7, size), CLASSES, 3, penalty)
    np.testing.assert_allclose(found.weights, solution[:-1], rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(found.bias, solution[-1], rtol=1e-4, atol=1e-5)


def test_shots_themselves_are_named_rightly_and_a_large_penalty_says_the_mean() -> None:
    x = vectors(7, 40)
    found = ridge(x, CLASSES, 3, 1e-6)
    assert found.scores(x).argmax(axis=-1).tolist() == CLASSES
    even = ridge(x, CLASSES, 3, 1e9).scores(x)
    np.testing.assert_allclose(even, np.tile([2 * 2 / 7 - 1, 2 * 3 / 7 - 1, 2 * 2 / 7 - 1], (7, 1)), atol=1e-4)


def test_every_number_of_shots_is_tried_in_several_draws() -> None:
    far = np.zeros(6, np.float32)
    far[0] = 20
    shots = [vectors(5, 6, 1), vectors(5, 6, 2) + far]
    held_out = [vectors(4, 6, 3), vectors(3, 6, 4) + far]
    found = tried(shots, held_out, 5, 1.0)
    assert found.tested == 7
    assert found.right.shape == (5, 5)
    assert (found.right == 7).all()
    swapped = tried(shots, held_out[::-1], 5, 1.0)
    assert not swapped.right.any()


def test_one_shot_of_a_draw_is_that_shot() -> None:
    shots = [vectors(3, 8, 1), vectors(3, 8, 2)]
    held_out = [vectors(20, 8, 3), vectors(20, 8, 4)]
    right = tried(shots, held_out, 2, 0.1).right
    alone = ridge(np.stack([shots[0][2], shots[1][2]]), [0, 1], 2, 0.1)
    answers = [alone.scores(it).argmax(axis=-1) for it in held_out]
    assert right[0, 2] == (answers[0] == 0).sum() + (answers[1] == 1).sum()


def pictures(count: int) -> Tensor:
    return torch.randn(count, 3, 32, 32, generator=torch.Generator().manual_seed(3))


@pytest.mark.parametrize("pool", ["class", "mean", "attention", "flatten"])
def test_a_vector_is_what_the_head_reads(tiny_config: ViTConfig, pool: str) -> None:
    model = ViT(tiny_config.with_(pool=pool, initial="normal"), seed=1)
    images = pictures(3)
    found = frozen_vectors(model, images)
    with torch.no_grad():
        np.testing.assert_allclose(model.head(torch.from_numpy(found)), model(images), rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(found[1], read_vector(record(model, images[1:2])), rtol=1e-4, atol=1e-4)


def test_with_batch_norms_a_picture_does_not_heed_those_beside_it(tiny_config: ViTConfig) -> None:
    model = ViT(tiny_config.with_(norm="batch"), seed=1)
    images = pictures(2)
    np.testing.assert_array_equal(frozen_vectors(model, images)[1], frozen_vectors(model, images[1:])[0])


def test_a_trace_has_the_vector_of_its_class_token(tiny_trace: Trace) -> None:
    np.testing.assert_array_equal(read_vector(tiny_trace), tiny_trace.readout()["norm"].tensor[0, 0])
