"""Components that pictures share, and what can be read off a patch: by other ways than the measures take."""

from itertools import permutations

import numpy as np
import pytest
import torch

from vitviz.config import ViTConfig
from vitviz.measures.shared_components import (
    Known,
    known_of_patches,
    patch_states,
    reach_of,
    shared_components,
    what_patches_hold,
)
from vitviz.model import ViT
from vitviz.trace import Trace, record


def traced(config: ViTConfig, seed: int) -> Trace:
    return record(ViT(config, seed=2), torch.randn(1, 3, 32, 32, generator=torch.Generator().manual_seed(seed)))


@pytest.fixture(scope="module")
def traces(tiny_config: ViTConfig) -> list[Trace]:
    return [traced(tiny_config.with_(registers=1), seed) for seed in (1, 2, 3)]


def test_components_are_those_of_all_patches_of_all_pictures(traces: list[Trace]) -> None:
    found = shared_components(*map(patch_states, traces))
    depth = traces[0].config.depth
    assert found.coordinates.shape == (depth + 1, 3, 16, 3)
    for row in range(depth + 1):
        streams = [it.residual_stream(row)[0, 2:].double() for it in traces]
        points = torch.cat(streams).numpy()
        less = points - points.mean(axis=0)
        _, sizes, directions = np.linalg.svd(less, full_matrices=False)
        np.testing.assert_allclose(found.share[row], (sizes**2 / (sizes**2).sum())[:3], rtol=1e-5)
        signs = [np.sign(it[np.abs(it).argmax()]) for it in directions[:3]]
        right = (less @ directions[:3].T * signs).reshape(3, 16, 3)
        np.testing.assert_allclose(found.coordinates[row], right, atol=1e-5)
        within = np.abs(right).reshape(-1, 3) <= found.reach[row]
        assert ((within.mean(axis=0) > 0.96) & (within.mean(axis=0) < 1)).all()


def test_they_are_the_same_to_the_last_bit_in_any_order_of_pictures(traces: list[Trace]) -> None:
    states = [patch_states(it) for it in traces]
    first = shared_components(*states)
    for order in permutations(range(3)):
        other = shared_components(*(states[at] for at in order))
        assert np.array_equal(other.coordinates, first.coordinates[:, list(order)])
        assert np.array_equal(other.share, first.share)
        assert np.array_equal(other.reach, first.reach)


def test_equal_patches_have_no_components_and_one_number_has_one() -> None:
    flat = shared_components((np.full((4, 5), 2.5, np.float32),))
    assert not flat.coordinates.any()
    assert not flat.share.any()
    assert not flat.reach.any()
    rounded = np.full((4, 5), 2.5, np.float32)
    rounded[::2] = np.nextafter(rounded[::2], np.float32(3))
    assert not shared_components((rounded,)).share.any()
    single = shared_components((np.arange(4, dtype=np.float32)[:, None],))
    assert single.share.tolist() == [[1, 0, 0]]
    np.testing.assert_allclose(single.coordinates[0, 0, :, 0], [-1.5, -0.5, 0.5, 1.5])
    assert np.isnan(shared_components((np.full((4, 5), np.nan, np.float32),)).coordinates).all()


def test_of_patches_their_places_and_mean_colours_are_known(traces: list[Trace]) -> None:
    facts, image = known_of_patches(traces[0]).facts, traces[0]["image"].tensor[0]
    assert facts[6, :2].tolist() == [1, 2]
    np.testing.assert_allclose(facts[6, 2:], image[:, 8:16, 16:24].mean(dim=(1, 2)), atol=1e-6)


def test_what_is_in_a_state_is_read_off_and_what_is_not_is_not() -> None:
    rng = np.random.default_rng(0)
    turn = np.linalg.qr(rng.standard_normal((6, 6)))[0]

    def known(colour: bool) -> Known:
        places = np.stack(np.divmod(np.arange(64), 8), axis=1)
        facts = np.concatenate([places, rng.standard_normal((64, 3))], axis=1)
        seen = np.concatenate([places, facts[:, 2:] if colour else rng.standard_normal((64, 3)), np.ones((64, 1))], 1)
        return Known((np.asarray(seen @ turn, np.float32),), facts.astype(np.float32))

    with_colour = what_patches_hold((3, 60), *(known(True) for _ in range(5)))
    assert with_colour.ordinary.shape == with_colour.outliers.shape == (1, 3)
    assert with_colour.ordinary.min() > 0.99
    assert with_colour.outliers.min() > 0.99
    without = what_patches_hold((), *(known(False) for _ in range(5)))
    assert without.outliers.shape == (0, 3)
    assert without.ordinary[0, :2].min() > 0.99
    assert without.ordinary[0, 2] < 0.1


def test_a_read_out_is_ridge_regression_as_its_own_equations_have_it(traces: list[Trace]) -> None:
    here, *others = map(known_of_patches, traces)
    found = what_patches_hold((), here, *others)
    for row in range(traces[0].config.depth + 1):
        taught = torch.tensor(np.concatenate([it.states[row] for it in others])).double()
        facts = torch.tensor(np.concatenate([it.facts for it in others])).double()
        less, mean = taught - taught.mean(dim=0), facts.mean(dim=0)
        ridge = 1e-2 * less.square().sum() / less.shape[1]
        padded = torch.cat([less, ridge.sqrt() * torch.eye(less.shape[1])])  # the same as least squares with more rows
        target = torch.cat([facts - mean, torch.zeros(less.shape[1], facts.shape[1])])
        matrix = torch.linalg.lstsq(padded, target).solution
        read = (torch.tensor(here.states[row]).double() - taught.mean(dim=0)) @ matrix + mean
        truth = torch.tensor(here.facts).double()
        lost, spread = (read - truth).square().mean(dim=0), (truth - truth.mean(dim=0)).square().mean(dim=0)
        right = [1 - lost[0] / spread[0], 1 - lost[1] / spread[1], 1 - lost[2:].sum() / spread[2:].sum()]
        np.testing.assert_allclose(found.ordinary[row], right, rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(found.places[row], read[:, :2], rtol=1e-4, atol=1e-4)


def test_what_all_patches_share_can_be_read_off_none() -> None:
    rng = np.random.default_rng(0)

    def known(colour: float | None) -> Known:
        places = np.stack(np.divmod(np.arange(16), 4), axis=1)
        colours = rng.standard_normal((16, 3)) if colour is None else np.full((16, 3), colour)
        facts = np.concatenate([places, colours], axis=1).astype(np.float32)
        return Known((facts,), facts)

    found = what_patches_hold((), known(0.1), known(None), known(None))  # of a picture of one colour
    assert found.ordinary[0, :2].min() > 0.9
    assert np.isnan(found.ordinary[0, 2])


def test_the_reach_is_that_of_all_pictures(traces: list[Trace]) -> None:
    found = shared_components(*map(patch_states, traces))
    for row, coordinates in enumerate(found.coordinates):
        sizes = np.sort(np.abs(coordinates).reshape(-1, 3), axis=0)
        assert reach_of(coordinates) == pytest.approx(found.reach[row], rel=1e-5)
        beyond = (sizes > found.reach[row] * (1 + 1e-5)).mean(axis=0)
        assert (beyond <= 0.02 + 1 / len(sizes)).all()
        assert (beyond >= 0.02 - 1 / len(sizes)).all()
