"""What edits do to scores, tokens, pixels and positions, against what follows from their definition."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from tests.unit.edits.conftest import logits, picture
from vitviz.config import ViTConfig
from vitviz.edits import Edits
from vitviz.model import ViT
from vitviz.trace import Trace, record


@pytest.mark.parametrize(
    ("text", "multiplier"),
    [("t2=0.25", 4 / 6**0.5), ("s2=dh", 1 / 6), ("s2=none t2=2", 0.5), ("s=none s2=sqrt", 6**-0.5)],
)
def test_temperature_and_scale_are_factors_of_qk(text: str, multiplier: float, edited: Callable[..., Trace]) -> None:
    inside = edited(text).inside(1)
    q, k, v = (inside[f"attn.{name}"].tensor for name in "qkv")
    torch.testing.assert_close(inside["attn.scores"].tensor, q @ k.mT * multiplier)
    torch.testing.assert_close(
        inside["attn.z"].tensor, F.scaled_dot_product_attention(q, k, v, scale=multiplier), rtol=1e-4, atol=1e-6
    )


def test_top_k_keeps_the_largest_scores_of_a_row(edited: Callable[..., Trace]) -> None:
    inside = edited("k2=4").inside(1)
    weights = inside["attn.weights"].tensor
    usual = (inside["attn.q"].tensor @ inside["attn.k"].tensor.mT / 6**0.5).softmax(-1)
    assert ((weights > 0).sum(-1) == 4).all()
    best = usual.topk(4, dim=-1)
    torch.testing.assert_close(weights.gather(-1, best.indices), best.values / best.values.sum(-1, keepdim=True))


def test_a_window_lets_patches_see_their_neighbours_and_prefix_tokens_all(edited: Callable[..., Trace]) -> None:
    weights = edited("w2=1").inside(1)["attn.weights"].tensor[0]
    assert (weights[:, 0] > 0).all()
    assert (weights[:, :, 0] > 0).all()
    row, column = torch.arange(16) // 4, torch.arange(16) % 4
    for patch in range(16):
        near = ((row - row[patch]).abs() <= 1) & ((column - column[patch]).abs() <= 1)
        assert ((weights[:, 1 + patch, 1:] > 0) == near).all()


def test_a_causal_mask_lets_tokens_see_themselves_and_those_before_as_pytorchs_own_does(
    edited: Callable[..., Trace],
) -> None:
    inside = edited("c2").inside(1)
    q, k, v = (inside[f"attn.{name}"].tensor for name in "qkv")
    assert torch.equal(inside["attn.weights"].tensor > 0, torch.ones(1, 4, 17, 17, dtype=torch.bool).tril())
    expected = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    torch.testing.assert_close(inside["attn.z"].tensor, expected, rtol=1e-4, atol=1e-6)
    assert torch.equal(logits(edited("c c2=full c3=full")), logits(edited("c1")))


def test_under_a_causal_mask_the_class_token_says_the_same_of_every_picture(
    tiny_model: ViT, tiny_config: ViTConfig
) -> None:
    def answers(model: ViT, text: str) -> list[Tensor]:
        edits = Edits.parse(text, model.config)
        return [logits(record(model, picture(seed), edits=edits)) for seed in (1, 2)]

    assert torch.equal(*answers(tiny_model, "c"))
    assert not torch.equal(*answers(tiny_model, "c c2=full"))
    assert not torch.equal(*answers(ViT(tiny_config.with_(pool="mean"), seed=2), "c"))


def test_a_causal_mask_leaves_a_token_itself_where_all_before_it_are_hidden(tiny_config: ViTConfig) -> None:
    model = ViT(tiny_config.with_(pool="mean"), seed=2)
    trace = record(model, picture(0), edits=Edits.parse("c p1-2 w=0", model.config))
    weights = trace.inside(0)["attn.weights"].tensor[0, 0]
    assert torch.equal(weights, torch.eye(16))


def test_removed_patches_are_as_if_they_had_never_been_there(
    edited: Callable[..., Trace], tiny_model: ViT, tiny_trace: Trace
) -> None:
    kept = [0, *range(1, 5), *range(8, 17)]
    shorter = tiny_model.go_on(tiny_trace.residual_stream(0)[:, kept], 0)
    removed, masked = edited("p5-7=removed"), edited("p5-7")
    torch.testing.assert_close(logits(removed), shorter)
    torch.testing.assert_close(logits(masked), shorter)
    for layer in range(4):
        assert not removed.residual_stream(layer)[:, 5:8].any()
    assert masked.residual_stream(3)[:, 5:8].any()
    for trace in (removed, masked):
        assert not trace.inside(1)["attn.weights"].tensor[..., 5:8].any()


def test_attention_pooling_does_not_look_at_hidden_patches(tiny_config: ViTConfig) -> None:
    model = ViT(tiny_config.with_(pool="attention"), seed=2)
    plain = record(model, picture(0))
    trace = record(model, picture(0), edits=Edits.parse("p5-7=removed w=0", model.config))
    assert not trace.readout()["pool.weights"].tensor[..., 4:7].any()
    assert trace.inside(0)["attn.weights"].tensor[0, 0, 4].tolist() == [0.0] * 4 + [1.0] + [0.0] * 11
    removed = record(model, picture(0), edits=Edits.parse("p5-7=removed", model.config))
    kept = [*range(4), *range(7, 16)]
    torch.testing.assert_close(logits(removed), model.go_on(plain.residual_stream(0)[:, kept], 0))


def test_pixels_are_painted_then_shuffled_then_swapped(
    edited: Callable[..., Trace], tiny_trace: Trace, donor: Trace
) -> None:
    def patches(trace: Trace) -> Tensor:
        return trace.embedding()["patches"].tensor[0].unflatten(1, (3, 64))

    before = patches(tiny_trace)
    assert not patches(edited("p6=grey"))[5].any()
    torch.testing.assert_close(patches(edited("p6=blur"))[5], before[5].mean(-1, keepdim=True).expand(3, 64))
    assert torch.equal(patches(edited("p6=paste"))[5], patches(donor)[5])
    swapped = patches(edited("i2=9"))
    assert torch.equal(swapped[[1, 8]], before[[8, 1]])
    shuffled = patches(edited("i=shuffled@3"))
    assert not torch.equal(shuffled, before)
    assert torch.equal(shuffled.flatten(1).sort(0).values, before.flatten(1).sort(0).values)
    together = patches(edited("p6=grey i=shuffled@3 i2=9"))
    painted = patches(edited("p6=grey i=shuffled@3"))
    assert torch.equal(together[[1, 8]], painted[[8, 1]])


def test_patches_that_move_with_their_positions_change_nothing_for_the_class_token(
    edited: Callable[..., Trace], tiny_trace: Trace
) -> None:
    torch.testing.assert_close(logits(edited("i2=9 e2=9")), logits(tiny_trace), rtol=1e-4, atol=1e-6)
    torch.testing.assert_close(logits(edited("i=shuffled@3 e=shuffled@3")), logits(tiny_trace), rtol=1e-4, atol=1e-6)
    torch.testing.assert_close(logits(edited("i2=9 e=off")), logits(edited("e=off")), rtol=1e-4, atol=1e-6)
    assert (logits(edited("i2=9")) - logits(tiny_trace)).abs().max() > 1e-4


def test_positions_that_are_off_leave_prefix_tokens_theirs(edited: Callable[..., Trace], tiny_trace: Trace) -> None:
    off = edited("e=off").residual_stream(0)
    assert torch.equal(off[:, 0], tiny_trace.residual_stream(0)[:, 0])
    assert torch.equal(off[:, 1:], tiny_trace.embedding()["patch_tokens"].tensor)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("o6=1", {6: 1}),  # the place of patch 7
        ("o6=0.5", {5: 0.5, 6: 0.5}),  # half way to it
        ("o6=1.25", {6: 0.75, 7: 0.25}),
        ("o6=4", {6: -2, 7: 3}),  # two columns beyond the last, as the last two go on
        ("o8=0.5", {6: -0.5, 7: 1.5}),
        ("o6=1 e7=1", {6: 1}),  # of the place, whichever patch stands there
        ("o6=2 e6=9", {10: 1}),  # from the place that it has been given
        ("o6=2 e=off", {}),
    ],
)
def test_a_moved_position_lies_on_the_line_through_two_columns(
    text: str, parts: dict[int, float], edited: Callable[..., Trace], tiny_trace: Trace
) -> None:
    """Patch 6 of a grid of 4 columns, or 8, the last of its row; `parts` count patches from 0."""
    learned = tiny_trace.model.positions()[0, 1:]
    patch = int(text[1]) - 1
    position = sum((share * learned[at] for at, share in parts.items()), torch.zeros_like(learned[0]))
    found = edited(text)
    token = tiny_trace.embedding()["patch_tokens"].tensor[0, patch] + position
    torch.testing.assert_close(found.residual_stream(0)[0, 1 + patch], token)
    if " " not in text:
        others = [at for at in range(17) if at != 1 + patch]
        assert torch.equal(found.residual_stream(0)[0, others], tiny_trace.residual_stream(0)[0, others])


@pytest.mark.parametrize(
    ("name", "changes"),
    [("attn.angles", {"positions": "rotary", "head_dim": 8}), ("attn.bias", {"positions": "relative"})],
)
def test_a_position_that_is_moved_by_one_column_is_that_of_the_next_patch(
    name: str, changes: dict[str, Any], tiny_config: ViTConfig
) -> None:
    model = ViT(tiny_config.with_(**changes), seed=3)
    plain, moved = (
        record(model, picture(0), edits=Edits.parse(text, model.config)).inside(1)[name].tensor for text in ("", "o6=1")
    )
    torch.testing.assert_close(moved[..., 1 + 5, :5], plain[..., 1 + 6, :5])
    assert not torch.equal(moved[..., 1 + 5, :5], plain[..., 1 + 5, :5])


def test_dropout_takes_its_share_and_makes_up_for_it(edited: Callable[..., Trace]) -> None:
    inside = edited("d=0.25@3").inside(0)
    active = inside["mlp.active"].tensor
    assert (active == 0).float().mean() == pytest.approx(0.25, abs=0.06)
    assert not torch.equal(logits(edited("d=0.25@3")), logits(edited("d=0.25@4")))
    assert torch.equal(logits(edited("d=0.25@3")), logits(edited("d=0.25@3")))
    placed = edited("d=0.25@3").residual_stream(0)
    plain = edited("").residual_stream(0)
    assert torch.equal(placed[placed != 0], (plain / 0.75)[placed != 0])
