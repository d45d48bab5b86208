"""From pixels to tokens in numbers: what is shown is what the model computed."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from vitviz.config import ViTConfig
from vitviz.measures import tokens as measures
from vitviz.model import ViT
from vitviz.trace import Trace, record


@pytest.fixture(scope="module")
def distilled_trace(tiny_config: ViTConfig) -> Trace:
    config = tiny_config.with_(distilled=True)
    return record(ViT(config, seed=2), torch.randn(1, 3, 32, 32, generator=torch.Generator().manual_seed(1)))


def test_flat_patches_are_the_image_in_raster_order(tiny_trace: Trace) -> None:
    image = tiny_trace["image"].tensor[0].numpy()
    flat = measures.embedded(tiny_trace, "patches")
    assert flat.shape == (16, 3 * 8 * 8)
    assert np.array_equal(flat[6].reshape(3, 8, 8), image[:, 8:16, 16:24])  # row 1, column 2


def test_a_token_is_its_patch_times_the_matrix_plus_the_bias(tiny_trace: Trace) -> None:
    it = measures.projection(tiny_trace)
    assert np.array_equal(it.tokens, tiny_trace.embedding()["patch_tokens"].tensor[0])
    assert np.abs(it.patches @ it.matrix + it.bias - it.tokens).max() < 1e-6
    assert np.abs(it.tokens).max() > 0.1


def test_a_convolution_makes_the_same_tokens(tiny_trace: Trace) -> None:
    tokens = measures.projection(tiny_trace).tokens
    assert np.abs(measures.convolved_tokens(tiny_trace) - tokens).max() < 1e-6


def test_the_projection_of_a_model_with_patch_norms_stands_between_them(tiny_config: ViTConfig) -> None:
    trace = record(ViT(tiny_config.with_(patch_norm=True), seed=2), torch.randn(1, 3, 32, 32))
    it, inside = measures.projection(trace), trace.embedding()
    assert np.array_equal(it.patches, inside["norm_in"].tensor[0])
    assert np.array_equal(it.tokens, inside["projected"].tensor[0])
    assert np.abs(it.patches @ it.matrix + it.bias - it.tokens).max() < 1e-5
    assert np.abs(measures.convolved_tokens(trace) - it.tokens).max() < 1e-5


@pytest.mark.parametrize("mean", [(0.5, 0.5, 0.5), (0.485, 0.456, 0.406)], ids=["alike", "by channel"])
@pytest.mark.parametrize("patch_bias", [True, False])
def test_one_channel_makes_of_a_grey_picture_what_three_make(
    tiny_config: ViTConfig, mean: tuple[float, float, float], patch_bias: bool
) -> None:
    alike, weights = len({*mean}) == 1, (0.299, 0.587, 0.114)
    std = (0.25, 0.25, 0.25) if alike else (0.229, 0.224, 0.225)
    model = ViT(tiny_config.with_(patch_bias=patch_bias), seed=2)
    colours = torch.rand(3, 32, 32, generator=torch.Generator().manual_seed(1))
    picture = torch.tensor(weights) @ colours.flatten(1)
    columns = torch.tensor([mean, std]).unsqueeze(-1)
    equal = ((picture - columns[0]) / columns[1]).view(1, 3, 32, 32)
    trace = record(model, ((colours.flatten(1) - columns[0]) / columns[1]).view(1, 3, 32, 32))

    three, one = measures.in_grey(trace, mean, std, weights)
    assert np.abs(three.logits - model(equal).detach().numpy()[0]).max() < 1e-5
    assert np.abs(one.logits - three.logits).max() < 1e-5 < np.abs(three.logits).max() / 10
    assert np.abs(one.tokens - three.tokens).max() < 1e-5 < np.abs(three.tokens).max() / 10
    assert np.abs(trace["logits"].tensor[0].numpy() - three.logits).max() > 1e-3, "its colours count"
    single = measures.of_one_channel(model, mean, std)
    added = 24 if not patch_bias and not alike else 0  # what the means of the channels make of a filter
    counted = sum(it.numel() for it in model.parameters()) - sum(it.numel() for it in single.parameters())
    assert counted == 2 * 8 * 8 * 24 - added


def test_a_filter_is_a_column_of_the_matrix(tiny_trace: Trace) -> None:
    filters = measures.filters(tiny_trace.model)
    assert filters.shape == (24, 3, 8, 8)
    assert np.array_equal(filters[5].ravel(), measures.projection(tiny_trace).matrix[:, 5])


def test_placed_tokens_are_tokens_plus_positions(distilled_trace: Trace) -> None:
    placed, positions = measures.placed_tokens(distilled_trace), measures.positions(distilled_trace)
    assert placed.shape == positions.shape == (18, 24)
    assert np.abs(placed[2:] - positions[2:] - measures.projection(distilled_trace).tokens).max() < 1e-6
    distillation = distilled_trace.model.get_parameter("dist_token")[0, 0].detach().numpy()
    assert np.allclose(placed[1], distillation + positions[1])


@pytest.mark.parametrize("prefix", [1, 2])
def test_prefix_tokens_have_no_place_on_the_grid(prefix: int, tiny_trace: Trace, distilled_trace: Trace) -> None:
    trace = (tiny_trace, distilled_trace)[prefix - 1]
    assert np.array_equal(measures.patch_positions(trace), trace.model.pos_embed[0, prefix:].detach())


def test_a_position_map_holds_cosines(distilled_trace: Trace) -> None:
    maps = measures.position_maps(distilled_trace)
    rows = measures.patch_positions(distilled_trace)
    expected = rows[6] @ rows[9] / np.linalg.norm(rows[6]) / np.linalg.norm(rows[9])
    assert maps.shape == (4, 4, 4, 4)
    assert maps[1, 2, 2, 1] == pytest.approx(expected, abs=1e-6)
    assert maps[2, 1, 1, 2] == pytest.approx(expected, abs=1e-6)
    assert np.allclose(np.diagonal(maps.reshape(16, 16)), 1, atol=1e-6)
    assert np.abs(maps).max() <= 1 + 1e-6


def test_every_second_map_is_one_of_all_maps(tiny_trace: Trace) -> None:
    some = measures.position_maps(tiny_trace, top=1, left=0, step=2)
    assert np.allclose(some, measures.position_maps(tiny_trace)[1::2, 0::2], atol=1e-6)


def test_the_cosine_with_nothing_is_nothing() -> None:
    rows = np.array([[0, 0], [3, 4]], np.float32)
    assert measures.cosine_similarity(rows, rows).tolist() == [[0, 0], [0, 1]]


def test_principal_components_are_those_of_the_covariance() -> None:
    points = np.random.default_rng(0).normal(size=(50, 4)).astype(np.float32) * np.array([1, 5, 0.1, 2], np.float32) + 7
    variance, directions = np.linalg.eigh(np.cov(points.T))
    found = measures.principal_components(points, 4)
    assert np.allclose(found.share, variance[::-1] / variance.sum(), atol=1e-5)
    assert np.allclose(np.abs(found.directions @ directions[:, ::-1]), np.eye(4), atol=1e-3)
    assert np.allclose(found.coordinates @ found.directions + points.mean(axis=0), points, atol=1e-3)
    assert np.allclose(measures.principal_components(points, 2).share, found.share[:2])


def test_the_sign_of_a_component_does_not_depend_on_the_sign_of_the_points() -> None:
    points = np.random.default_rng(1).normal(size=(20, 6)).astype(np.float32)
    one, other = measures.principal_components(points, 3), measures.principal_components(-points, 3)
    assert np.allclose(one.directions, other.directions, atol=1e-5)
    for direction in one.directions:
        assert direction[np.abs(direction).argmax()] > 0


@pytest.mark.parametrize("shape", [(1, 8), (8, 1), (1, 1), (3, 8)])
def test_few_points_have_few_components(shape: tuple[int, ...]) -> None:
    found = measures.principal_components(np.random.default_rng(2).normal(size=shape).astype(np.float32), 28)
    assert len(found.share) == max(1, min(shape[0] - 1, shape[1]))
    assert found.coordinates.shape == (shape[0], len(found.share))
    assert found.share.sum() == pytest.approx(0 if shape[0] == 1 else 1, abs=1e-5)
    assert np.isfinite(found.directions).all()


def test_components_of_filters_and_tokens_have_their_axes(tiny_trace: Trace) -> None:
    assert measures.filter_components(tiny_trace.model, 5).directions.shape == (5, 3 * 8 * 8)
    assert measures.token_components(tiny_trace, 3).coordinates.shape == (16, 3)


@pytest.mark.parametrize("function", [measures.positions, measures.placed_tokens])
def test_shared_numbers_cannot_be_changed(function: Callable[..., Any], tiny_trace: Trace) -> None:
    with pytest.raises(ValueError, match="read-only"):
        function(tiny_trace)[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        measures.embedded(tiny_trace, "patches")[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        measures.filters(tiny_trace.model)[0] = 1


def test_a_word_is_looked_up_by_the_product_that_makes_a_token_of_a_patch() -> None:
    found = measures.look_up((3, 5, 7), 10, 8, seed=0)
    assert np.array_equal(found.tokens, found.table[[3, 5, 7]])
    assert np.array_equal(found.one_hot.argmax(axis=1), [3, 5, 7])
    again, other = (measures.look_up((0,), 10, 8, seed).table for seed in (0, 1))
    assert np.array_equal(found.table, again)
    assert not np.array_equal(found.table, other)
