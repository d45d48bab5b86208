"""One model at other picture sizes: what is shared, what is interpolated, and what it sees."""

from math import inf
from typing import Any

import numpy as np
import pytest
import torch
from einops import rearrange
from PIL import Image
from torch.nn import functional as F

from tests.unit.switches.test_positions import KINDS, model_of
from vitviz.config import ViTConfig
from vitviz.images import for_size
from vitviz.laboratory.resizing import at_size
from vitviz.measures.attention import attention_weights
from vitviz.measures.laboratory.resolution import at_this_size, cell_at
from vitviz.measures.tokens import position_maps
from vitviz.model import ViT
from vitviz.trace import Trace, record
from vitviz.weights import Loaded, WeightsError

TABLES = {"pos_embed", "pos_embed_row", "pos_embed_column", "relative_position_bias_table"}


def resized(model: ViT, side: int) -> ViT:
    loaded = Loaded(model, ("a", "b", "c", "d", "e"), for_size(model.config.image_size), False)
    return at_size(loaded, model.config.with_(image_size=side)).model


def trace_of(model: ViT, seed: int = 0) -> Trace:
    return record(model, torch.randn(1, 3, *model.config.image_sides, generator=torch.Generator().manual_seed(seed)))


@pytest.mark.parametrize("changes", KINDS, ids=str)
def test_at_its_own_size_nothing_changes_and_at_another_only_positions(
    tiny_config: ViTConfig, changes: dict[str, Any]
) -> None:
    model = model_of(tiny_config, **changes)
    image = torch.randn(1, 3, 32, 32)
    assert torch.equal(resized(model, 32)(image), model(image))
    larger = resized(model, 48)
    assert larger.config.grid == (6, 6)
    assert larger(torch.randn(1, 3, 48, 48)).shape == (1, 5)
    ours, theirs = (dict(it.named_parameters()) for it in (larger, model))
    other = {name for name in ours if ours[name].data_ptr() != theirs[name].data_ptr()}
    assert {name.rpartition(".")[2] for name in other} <= TABLES


def test_positions_are_resized_in_one_piece_and_the_class_token_keeps_its_own(tiny_model: ViT) -> None:
    ours, theirs = resized(tiny_model, 56).pos_embed, tiny_model.pos_embed
    assert torch.equal(ours[:, :1], theirs[:, :1])
    grid = rearrange(theirs[:, 1:], "1 (gh gw) d -> 1 d gh gw", gh=4)
    expected = F.interpolate(grid, size=(7, 7), mode="bicubic", antialias=True)
    torch.testing.assert_close(ours[:, 1:], rearrange(expected, "1 d gh gw -> 1 (gh gw) d"))


def test_rows_and_columns_are_resized_along_their_own_side(tiny_config: ViTConfig) -> None:
    model = model_of(tiny_config, positions="learned_2d")
    theirs = model.get_parameter("pos_embed_row")
    expected = F.interpolate(theirs.mT[..., None], size=(8, 1), mode="bicubic", antialias=True)[..., 0].mT
    torch.testing.assert_close(resized(model, 64).get_parameter("pos_embed_row"), expected)


def test_a_model_without_positions_answers_a_doubled_grid_of_the_same_patches_alike(tiny_config: ViTConfig) -> None:
    """Every patch four times: softmax shares each weight among four equal keys, so no token changes."""
    model = ViT(tiny_config.with_(positions="none", pool="mean"), seed=1)
    image = torch.randn(1, 3, 32, 32)
    doubled = rearrange(image, "b c (gh ph) (gw pw) -> b c gh ph gw pw", ph=8, pw=8)
    doubled = doubled.repeat_interleave(2, 2).repeat_interleave(2, 4)
    doubled = rearrange(doubled, "b c gh ph gw pw -> b c (gh ph) (gw pw)")
    torch.testing.assert_close(resized(model, 64)(doubled), model(image), atol=1e-5, rtol=1e-4)


def test_a_head_that_reads_all_tokens_side_by_side_fits_one_size_and_says_so(tiny_config: ViTConfig) -> None:
    model = ViT(tiny_config.with_(pool="flatten"), seed=1)
    assert resized(model, 32).config == model.config
    with pytest.raises(WeightsError, match="reads all 16 tokens side by side, 384 numbers"):
        resized(model, 64)


def test_what_is_seen_is_the_row_of_the_head_and_the_map_of_the_position(tiny_model: ViT) -> None:
    trace = trace_of(resized(tiny_model, 48))
    found = at_this_size(trace, 1, 2, (0.5, 0.26), None, 1)
    row, column = cell_at((0.5, 0.26), (6, 6))
    assert (row, column) == (3, 1)
    weights = attention_weights(trace, 1)[2, 1 + 19, 1:].reshape(6, 6) * 37
    np.testing.assert_allclose(found.weights, weights, atol=1e-5)
    np.testing.assert_allclose(found.alike, position_maps(trace)[3, 1], atol=1e-6)
    np.testing.assert_allclose(found.probabilities, trace["logits"].tensor[0].softmax(0), atol=1e-6)
    assert 0 < found.seconds < inf
    unclocked = at_this_size(trace, 1, 2, (0.5, 0.26), 0, 0)
    assert unclocked.weights.sum() <= 37
    assert unclocked.seconds == inf


def test_a_whole_picture_is_squashed_and_not_cut(tiny_config: ViTConfig) -> None:
    loaded = Loaded(ViT(tiny_config, seed=1), ("a", "b", "c", "d", "e"), for_size(32), False)
    wide = at_size(loaded, tiny_config.with_(image_size=(32, 48)), uncut=True)
    photo = Image.fromarray(np.random.default_rng(0).integers(0, 256, (100, 160, 3), np.uint8))
    assert wide.preprocess.box(photo) == (0, 0, 160, 100)
    expected = np.asarray(photo.resize((48, 32), Image.Resampling.BICUBIC))
    np.testing.assert_array_equal(np.asarray(wide.preprocess.crop(photo)), expected)
    assert record(wide.model, wide.preprocess(photo)).config.grid == (4, 6)
