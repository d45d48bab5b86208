"""How alike patches are and how long tokens are, by another way than the measures take."""

from typing import Any

import numpy as np
import pytest
import torch

from tests.cases import each
from vitviz.config import ViTConfig
from vitviz.machine.device import DeviceError
from vitviz.measures import similarity
from vitviz.measures.similarity import (
    KINDS,
    across,
    alike,
    cosines,
    far_out,
    in_few_directions,
    lengths,
    nearest,
    patch_vectors,
    rows_of,
    units,
)
from vitviz.model import ViT
from vitviz.trace import Trace, record

CHANGES: tuple[dict[str, Any], ...] = (
    {},
    {"distilled": True},
    {"registers": 3},
    {"pool": "mean"},
    {"pool": "attention"},
    {"pool": "mean", "norm_after_pooling": True, "keep_class_token": True},
    {"norm_order": "post"},
    {"norm": "rms", "input_norm": True},
    {"positions": "rotary", "head_dim": 8},
    {"positions_at": "every_layer"},
    {"attention": "linear"},
    {"qk_norm": True, "patch_norm": True},
    {"classes": 0, "layer_scale": True},
    {"patch_size": 32},
)


def traced(config: ViTConfig, seed: int = 1) -> Trace:
    image = torch.randn(1, 3, 32, 32, generator=torch.Generator().manual_seed(seed))
    return record(ViT(config, seed=2), image)


def by_torch(vectors: np.ndarray, patch: int) -> np.ndarray:
    its = torch.tensor(vectors, dtype=torch.float64)
    return np.asarray(torch.cosine_similarity(its[patch], its, dim=-1))


def expected(trace: Trace, of: str, layer: int) -> np.ndarray:
    """What each patch has, taken from the names of the trace."""
    first = len(trace.config.prefix_tokens)
    match of:
        case "state":
            return trace[f"blocks.{layer}.resid_post"].tensor[0, first:].numpy()
        case "token":
            added = trace.model.positions(0)[0] if trace.config.positions_at != "stem" else 0
            return (trace["embed.resid_post"].tensor[0] + added)[first:].detach().numpy()
        case "pixels":
            (ph, pw), image = trace.config.patch_sides, trace["image"].tensor
            return torch.nn.functional.unfold(image, (ph, pw), stride=(ph, pw))[0].T.numpy()
    heads = trace.inside(layer)[f"attn.{of}"].tensor[0]
    return torch.cat(list(heads), dim=-1)[first:].detach().numpy()


@each(CHANGES)
def test_cosines_are_those_of_what_the_trace_holds(changes: dict[str, Any], tiny_config: ViTConfig) -> None:
    trace = traced(tiny_config.with_(**changes))
    for of in KINDS:
        rows = rows_of(of, trace.config.depth)
        found = alike(trace, of, 10**6)
        assert found.coordinates.shape[:2] == (rows, trace.config.patches)
        np.testing.assert_allclose(found.share, 1, atol=1e-6)
        for layer in range(rows):
            vectors, patch = expected(trace, of, layer), trace.config.patches - 1
            np.testing.assert_array_equal(patch_vectors(trace, of, layer), vectors)
            right = by_torch(vectors, patch)
            np.testing.assert_allclose(cosines(trace, of, layer, patch), right, atol=1e-6)
            sent = found.coordinates[layer].astype(np.float64)
            np.testing.assert_allclose(sent @ sent[patch], right, atol=1e-3)


def test_fewer_directions_keep_what_they_say(tiny_trace: Trace) -> None:
    found = alike(tiny_trace, "state", 10 * 16 * tiny_trace.config.depth)
    assert found.coordinates.shape[2] == 10
    for layer, its in enumerate(found.coordinates.astype(np.float64)):
        exact = units(patch_vectors(tiny_trace, "state", layer))
        left = (its**2).sum(axis=1)
        assert found.share[layer] == pytest.approx(left.min(), abs=1e-3)
        assert 0.5 < found.share[layer] < 1
        lost = np.sqrt(np.outer(1 - left, 1 - left))  # Cauchy-Schwarz: of what lies outside the directions
        assert (np.abs(exact @ exact.T - its @ its.T) <= lost + 2e-3).all()


def test_fewer_vectors_than_numbers_are_as_good_as_more() -> None:
    vectors = units(np.random.default_rng(3).standard_normal((30, 12)).astype(np.float32))
    for its in (vectors, vectors[:9]):
        few = in_few_directions(its, 5)
        _, sizes, _ = np.linalg.svd(its)
        np.testing.assert_allclose((few**2).sum(), (sizes[:5] ** 2).sum(), rtol=1e-9)
        np.testing.assert_allclose(in_few_directions(its, 50) @ in_few_directions(its, 50).T, its @ its.T, atol=1e-9)


def test_the_nearest_patch_elsewhere_is_the_one_of_the_largest_cosine(tiny_config: ViTConfig) -> None:
    here, *there = [patch_vectors(traced(tiny_config, seed), "state", 1) for seed in (1, 2, 3)]
    found, sent = nearest(5, here, *there), across(10**6, here, *there)
    both = sent.here.astype(np.float64)
    for at, other in enumerate(there):
        right = [float(by_torch(np.stack([here[5], it]), 0)[1]) for it in other]
        assert found.patches[at] == int(np.argmax(right))
        assert found.cosines[at] == pytest.approx(max(right), abs=1e-6)
        np.testing.assert_allclose(sent.there[at].astype(np.float64) @ both[5], right, atol=1e-3)
    np.testing.assert_allclose(both @ both[5], by_torch(here, 5), atol=1e-3)
    assert sent.share == pytest.approx(1)
    few = across(8 * 3 * len(here), here, *there)
    left = np.square(np.concatenate([few.here, *few.there]).astype(np.float64)).sum(axis=1)
    assert few.share == pytest.approx(left.min(), abs=1e-3)
    assert few.share < 1
    itself = nearest(5, here, here, there[0])
    assert itself.patches[0] == 5
    assert itself.cosines[0] == pytest.approx(1)


@each(CHANGES)
def test_lengths_are_those_of_the_streams_before_and_after_the_last_norm(
    changes: dict[str, Any], tiny_config: ViTConfig
) -> None:
    trace = traced(tiny_config.with_(**changes))
    found, depth = lengths(trace), trace.config.depth
    assert found.before.shape == found.after.shape == (depth + 1, trace.config.tokens)
    last = trace[f"blocks.{depth - 1}.resid_post"].tensor[0].numpy()
    np.testing.assert_allclose(found.before[-1], np.sqrt((last**2).sum(axis=1)), rtol=1e-5)
    read = trace.last_tokens()[0].detach().numpy()
    np.testing.assert_allclose(found.after[-1], np.sqrt((read**2).sum(axis=1)), rtol=1e-5)
    assert np.array_equal(found.before, found.after) == trace.config.norm_after_pooling


def test_a_patch_that_is_far_longer_than_others_is_an_outlier(tiny_config: ViTConfig) -> None:
    trace = traced(tiny_config.with_(registers=2))
    assert not lengths(trace).outliers.size
    values = {it.name: it.tensor.clone() for it in trace.values()}
    middle = "blocks.1.resid_post"  # of three layers
    values[middle][0, 3 + 7] *= 40
    values[middle][0, 1] *= 40  # a register is no patch
    assert lengths(Trace(trace.model, values)).outliers.tolist() == [3 + 7]


def test_far_out_is_over_eight_deviations_and_twice_the_median() -> None:
    spread = np.array([9, 10, 11, 10, 9, 11, 10, 30], np.float32)  # deviations of 1: both limits stand near 20
    assert far_out(spread) == [7]
    assert far_out(np.where(spread == 30, 19, spread)) == []
    assert far_out(np.ones(5, np.float32)) == []
    assert far_out(np.array([7.0], np.float32)) == []


def test_vectors_of_no_length_are_like_nothing_and_numbers_that_are_none_stay_so() -> None:
    vectors = np.zeros((4, 3), np.float32)
    assert np.array_equal(units(vectors), vectors)
    vectors[1, 1] = np.nan
    assert np.isnan(in_few_directions(units(vectors), 3)).all()


def test_what_would_take_minutes_is_refused(monkeypatch: pytest.MonkeyPatch, tiny_trace: Trace) -> None:
    monkeypatch.setattr(similarity, "MOST_WORK", 1000)
    with pytest.raises(
        DeviceError, match=r"16 vectors of 24 numbers take 6\.14 k multiply-adds, .* the limit is 1\.00 k"
    ):
        alike(tiny_trace, "state", 10**6)
