"""Answers with other position embeddings than the model's own."""

import tracemalloc
from typing import Any

import numpy as np
import pytest
import torch
from einops import rearrange

from tests.unit.switches.test_positions import KINDS, model_of
from vitviz.config import ViTConfig
from vitviz.demo.samples import BY_ID
from vitviz.edits import Edits
from vitviz.measures.classes import answer
from vitviz.measures.positions import (
    MOST_VARIANCE,
    RIDGE,
    place_read_out,
    probabilities_with_shuffled_positions,
    probabilities_without_positions,
    read_places,
    shuffled_order,
    swapped_patches,
)
from vitviz.measures.tokens import embedded
from vitviz.model import ViT
from vitviz.trace import Trace, record
from vitviz.weights import load


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


def test_without_positions_two_swapped_patches_swap_their_outputs_and_the_answer_stays(tiny_trace: Trace) -> None:
    swap = swapped_patches(tiny_trace, 0, 3)
    assert [value.shape for value in (swap.moved, swap.stayed, swap.logits, swap.with_positions)] == [(1,)] * 4
    assert max(swap.moved.item(), swap.stayed.item(), swap.logits.item()) < 1e-5 < swap.with_positions.item()


def test_swapping_agrees_with_a_model_whose_positions_are_zero(tiny_model: ViT, tiny_trace: Trace) -> None:
    config, image, (first, second) = tiny_model.config, tiny_trace["image"].tensor, (1, 2)
    p, columns = config.patch_sides[0], config.grid[1]
    other = image.clone()
    for here, there in ((first, second), (second, first)):
        (y, x), (v, u) = ((p * (patch // columns), p * (patch % columns)) for patch in (here, there))
        other[..., y : y + p, x : x + p] = image[..., v : v + p, u : u + p]
    bare = ViT(config)
    bare.load_state_dict(tiny_model.state_dict())
    with torch.no_grad():
        bare.pos_embed[:, 1:] = 0
        learned = (tiny_model(image) - tiny_model(other)).abs().max().item()
    last = f"blocks.{config.depth - 1}.resid_post"
    before, after = (record(bare, picture)[last].tensor[0] for picture in (image, other))
    torch.testing.assert_close(after[1 + first], before[1 + second], atol=1e-5, rtol=0)
    torch.testing.assert_close(after[1 + second], before[1 + first], atol=1e-5, rtol=0)
    assert (after[1 + first] - before[1 + first]).abs().max() > 1e-3  # the patches differ, and so do their outputs
    assert swapped_patches(tiny_trace, first, second).with_positions.item() == pytest.approx(learned, rel=1e-4)


def test_a_patch_swapped_with_itself_changes_nothing(tiny_trace: Trace) -> None:
    swap = swapped_patches(tiny_trace, 2, 2)
    assert (swap.moved, swap.stayed, swap.logits, swap.with_positions) == (0, 0, 0, 0)


def test_the_order_of_shuffling_names_every_patch_once_and_is_the_one_that_is_used(
    tiny_model: ViT, tiny_trace: Trace
) -> None:
    order = shuffled_order(tiny_trace)
    assert sorted(order) == list(range(tiny_model.config.patches))
    other = ViT(tiny_model.config)
    other.load_state_dict(tiny_model.state_dict())
    with torch.no_grad():
        other.pos_embed[:, 1:] = tiny_model.pos_embed[:, 1:][:, torch.tensor(order).long()]
    expected = answer(record(other, tiny_trace["image"].tensor), tiny_model.config.depth).probabilities
    np.testing.assert_allclose(probabilities_with_shuffled_positions(tiny_trace), expected, atol=1e-7)


@pytest.mark.parametrize("changes", KINDS, ids=str)
def test_every_kind_of_positions_is_shuffled_and_taken_away_wherever_it_enters(
    tiny_config: ViTConfig, tiny_trace: Trace, changes: dict[str, Any]
) -> None:
    model, image = model_of(tiny_config, **changes), tiny_trace["image"].tensor
    trace, depth = record(model, image), tiny_config.depth
    patches = rearrange(image, "b c (gh ph) (gw pw) -> b (gh gw) c ph pw", ph=8, pw=8)
    moved = torch.empty_like(patches)
    moved[:, torch.tensor(shuffled_order(trace)).long()] = patches  # each patch where the model believes it to be
    picture = rearrange(moved, "b (gh gw) c ph pw -> b c (gh ph) (gw pw)", gh=4)
    expected = answer(record(model, picture), depth).probabilities
    np.testing.assert_allclose(probabilities_with_shuffled_positions(trace), expected, atol=1e-5)
    edited = record(model, image, edits=Edits.parse("e=off", tiny_config))
    np.testing.assert_allclose(
        probabilities_without_positions(trace), answer(edited, depth).probabilities, rtol=0, atol=1e-6
    )
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "pos" in name:
                (parameter[:, 1:] if name.endswith("embed") else parameter).zero_()
    if changes["positions"] not in ("sincos_2d", "rotary"):  # which have no parameters
        off = answer(record(model, image), depth).probabilities
        np.testing.assert_allclose(probabilities_without_positions(trace), off, atol=1e-6)
    swap = swapped_patches(trace, 0, 3)
    assert max(swap.moved.item(), swap.stayed.item(), swap.logits.item()) < 1e-4


def test_the_read_out_of_places_is_that_of_gaussians_with_one_covariance() -> None:
    numbers = np.random.default_rng(0)
    known, places, asked = (numbers.standard_normal((many, 6), np.float32) for many in (20, 9, 5))
    matrix, bias = place_read_out(known, places)
    scatter = (known - known.mean(axis=0)).T @ (known - known.mean(axis=0))
    ridge = RIDGE * np.trace(scatter) / 6
    apart = asked[:, None] - known.mean(axis=0) - places
    far = np.einsum("bnd,de,bne->bn", apart, np.linalg.inv(scatter + ridge * np.eye(6)), apart)
    scores = asked @ matrix + bias
    np.testing.assert_allclose(scores - scores[:, :1], ridge * (far[:, :1] - far) / 2, atol=1e-5)


def test_short_positions_of_the_demo_tell_places_and_tokens_alone_do_not() -> None:
    demo = load("demo", device="cpu")
    trace = record(demo.model, demo.preprocess(BY_ID["cat"].scene.image))
    read, tokens = read_places(trace), embedded(trace, "patch_tokens")
    variance = np.linalg.eigvalsh(np.cov(tokens.T))[::-1].cumsum()
    assert variance[read.directions - 2] < MOST_VARIANCE * variance[-1] <= variance[read.directions - 1]
    assert 8 * read.position < read.token
    assert read.share < 0.05 < 10 * read.directions / tokens.shape[1]
    assert read.right > 0.9 * len(tokens) > 20 > read.alone


def test_a_model_without_positions_tells_no_place(tiny_config: ViTConfig) -> None:
    model = ViT(tiny_config.with_(positions="none"), seed=1)
    read = read_places(record(model, torch.rand(1, 3, *model.config.image_sides)))
    assert (read.position, read.share, read.right) == (0, 0, read.alone)


def test_scores_of_all_places_are_never_held_at_once() -> None:
    model = ViT(ViTConfig(image_size=64, patch_size=1, dim=8, depth=1, heads=1, mlp_dim=8, classes=0), seed=1)
    trace = record(model, torch.rand(1, 3, 64, 64))
    tracemalloc.start()
    read_places(trace)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 4 * 2048 * 4096  # bytes of a score of every second patch for every place
