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
    across,
    all_pairs,
    candidates,
    cosines,
    far_out,
    in_bytes,
    in_few_directions,
    lengths,
    nearest,
    pairs_bytes,
    patch_vectors,
    place_alone,
    registers,
    units,
    way_of,
    whole_way,
    worst,
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


def one_of_each(pairs: np.ndarray, patch: int, patches: int) -> np.ndarray:
    """Those of one patch, as they stand among all pairs: row by row of a triangle."""
    triangle = np.zeros((patches, patches))
    triangle[np.tril_indices(patches)] = pairs
    return (triangle + np.tril(triangle, -1).T)[patch]


@each(CHANGES)
def test_cosines_are_those_of_what_the_trace_holds(changes: dict[str, Any], tiny_config: ViTConfig) -> None:
    trace = traced(tiny_config.with_(**changes))
    for of in ("state", "q", "k", "v"):
        together = all_pairs(trace, of)
        places = way_of(of, trace.config.depth)
        assert together.pairs.nbytes == len(places) * pairs_bytes(trace.config.patches)
        for row, (kind, layer) in enumerate(places):
            vectors, patch = expected(trace, kind, layer), trace.config.patches - 1
            np.testing.assert_array_equal(patch_vectors(trace, kind, layer), vectors)
            right = by_torch(vectors, patch)
            np.testing.assert_allclose(cosines(trace, kind, layer, patch), right, atol=1e-6)
            sent = one_of_each(together.pairs[row], patch, trace.config.patches)
            np.testing.assert_allclose(sent, right, atol=1e-3)
            assert together.error[row] < 1e-3
            alone = place_alone(trace, kind, layer, 10**6)
            its = alone.coordinates[0].astype(np.float64) * alone.steps[0]
            np.testing.assert_allclose(its @ its[patch], right, atol=1e-3)
            assert alone.error[0] < 1e-3


def off_diagonal(products: np.ndarray) -> np.ndarray:
    return np.where(np.eye(len(products)), 0, products)


@pytest.mark.parametrize("of", ["state", "v"])
def test_what_is_coarse_says_how_coarse_and_keeps_to_its_bytes(tiny_trace: Trace, of: str) -> None:
    config = tiny_trace.config
    places = way_of(of, config.depth)
    room = 10 * config.patches * len(places)
    found = whole_way(tiny_trace, of, room)
    assert found.coordinates.nbytes == room
    for row, (kind, layer) in enumerate(places):
        vectors = expected(tiny_trace, kind, layer).astype(np.float64)
        unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        its = found.coordinates[row] * found.steps[row].astype(np.float64)
        lost = np.abs(off_diagonal(unit @ unit.T - its @ its.T)).max()
        assert found.error[row] == pytest.approx(lost, abs=1e-6)
        assert lost > 1e-3
    alone = place_alone(tiny_trace, "pixels", 0, 2 * 9 * config.patches)
    assert alone.coordinates.shape == (1, config.patches, 9)
    assert alone.error[0] > 1e-3


def test_places_of_narrow_vectors_stand_beside_wide_ones(tiny_config: ViTConfig) -> None:
    trace = traced(tiny_config.with_(patch_size=2, channels=3))
    found = whole_way(trace, "state", 10**6)
    assert trace.config.patches == 256
    assert not found.coordinates[0, :, 12:].any()
    assert found.error[0] < 0.02


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
    both = sent.here * sent.steps.astype(np.float64)
    for at, other in enumerate(there):
        right = [float(by_torch(np.stack([here[5], it]), 0)[1]) for it in other]
        assert found.patches[at] == int(np.argmax(right))
        assert found.cosines[at] == pytest.approx(max(right), abs=1e-6)
        lost = np.abs(sent.there[at] * sent.steps.astype(np.float64) @ both[5] - right)
        assert lost.max() <= sent.error + 1e-6
    assert sent.error < 0.02
    few = across(8 * 3 * len(here), here, *there)
    unit = [units(it) for it in (here, *there)]
    its = few.here * few.steps.astype(np.float64)
    lost = [
        np.abs(unit[0] @ a.T - its @ (b * few.steps.astype(np.float64)).T)
        for a, b in zip(unit[1:], few.there, strict=True)
    ]
    assert few.error == pytest.approx(np.max(lost), abs=1e-6)
    assert few.error > sent.error
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


@each(({}, {"depth": 1}, {"registers": 2, "distilled": True}))
def test_among_candidates_are_the_nearest_of_all_patches(changes: dict[str, Any], tiny_config: ViTConfig) -> None:
    trace = traced(tiny_config.with_(**changes))
    for patch in (0, 6, 15):
        found = candidates(trace, patch)
        assert len(set(found.patches.tolist()) - {patch}) == len(found.patches) == 4
        assert found.patches.tolist() == sorted(found.patches)
        for row, layer in enumerate((0, trace.config.depth - 1)):
            right = by_torch(expected(trace, "state", layer), patch)
            np.testing.assert_allclose(found.cosines[row], right[found.patches], atol=1e-6)
            assert found.cosines[row].max() == pytest.approx(np.delete(right, patch).max(), abs=1e-6)


@pytest.mark.parametrize(("size", "many"), [((32, 16), 1), ((8, 40), 4), ((40, 8), 4), ((16, 16), 3)])
def test_few_patches_are_few_candidates(size: tuple[int, int], many: int, tiny_config: ViTConfig) -> None:
    config = tiny_config.with_(image_size=size, patch_size=16 if size == (32, 16) else 8)
    trace = record(ViT(config, seed=2), torch.randn(1, 3, *size, generator=torch.Generator().manual_seed(1)))
    for patch in range(config.patches):
        found = candidates(trace, patch)
        assert len(found.patches) == many
        assert patch not in found.patches


def test_registers_are_given_what_the_rows_of_patches_give_them(tiny_config: ViTConfig) -> None:
    trace = traced(tiny_config.with_(registers=3, distilled=True))
    found = registers(trace)
    names = trace.config.prefix_tokens
    its = [at for at, name in enumerate(names) if name.startswith("register")]
    assert len(its) == 3
    assert found.even == 3 / trace.config.tokens
    for layer in range(trace.config.depth):
        weights = trace.inside(layer)["attn.weights"].tensor[0].detach()
        rows = [weights[:, query, its].sum(dim=-1).mean() for query in range(len(names), trace.config.tokens)]
        assert found.attention[layer] == pytest.approx(float(torch.stack(rows).mean()), rel=1e-5)


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
    sent, steps = in_bytes(in_few_directions(units(vectors), 3))
    assert np.isnan(sent * steps).all()
    assert np.isnan(worst(units(vectors), sent, steps))


def test_what_would_take_minutes_is_refused(monkeypatch: pytest.MonkeyPatch, tiny_trace: Trace) -> None:
    monkeypatch.setattr(similarity, "MOST_WORK", 1000)
    with pytest.raises(
        DeviceError, match=r"16 vectors of 24 numbers take 6\.14 k multiply-adds, .* the limit is 1\.00 k"
    ):
        whole_way(tiny_trace, "q", 10**6)
