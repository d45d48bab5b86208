"""Patches in another order: what moves with them, and what stays."""

import numpy as np
import pytest
import torch

from tests.unit.switches.test_positions import model_of
from vitviz.config import ViTConfig
from vitviz.edits import Edits
from vitviz.measures.laboratory.order import SAME, Reordered, order_of, reordered
from vitviz.model import ViT
from vitviz.trace import Trace, record
from vitviz.ui.widgets.live.mosaic import Exchange


def after(trace: Trace, edits: str) -> tuple[Trace, Reordered]:
    edited = record(trace.model, trace["image"].tensor, edits=Edits.parse(edits, trace.config), plain=trace)
    return edited, reordered(edited)


def of(model: ViT) -> Trace:
    """In 64 bits: parameters that are large enough for positions to show also make much of a rounding."""
    return record(model.double(), torch.randn(1, 3, 32, 32, generator=torch.Generator().manual_seed(0)).double())


@pytest.mark.parametrize("pool", ["class", "mean", "attention"])
@pytest.mark.parametrize("edits", ["i2=11", "i=shuffled@3", "i2=11 i=shuffled@3"])
def test_without_positions_tokens_follow_their_patches_and_the_answer_stays(
    tiny_config: ViTConfig, pool: str, edits: str
) -> None:
    found = after(of(model_of(tiny_config, positions="none", pool=pool)), edits)[1]
    assert found.followed.max() < SAME
    assert np.abs(found.logits[1] - found.logits[0]).max() < SAME
    assert found.in_place.max() > 0.1
    assert found.prefix.max(initial=0) < SAME


def test_with_positions_every_token_and_the_answer_change(tiny_config: ViTConfig) -> None:
    found = after(of(model_of(tiny_config)), "i2=11")[1]
    assert found.followed.min() > SAME
    assert np.abs(found.logits[1] - found.logits[0]).max() > 100 * SAME


def test_a_flat_read_out_is_not_blind_to_order_though_tokens_are(tiny_config: ViTConfig) -> None:
    found = after(of(model_of(tiny_config, positions="none", pool="flatten")), "i2=11")[1]
    assert found.followed.max() < SAME
    assert np.abs(found.logits[1] - found.logits[0]).max() > 100 * SAME


def test_a_swap_alone_moves_only_its_two_places(tiny_config: ViTConfig) -> None:
    found = after(of(model_of(tiny_config, positions="none")), "i2=11")[1]
    moved = np.flatnonzero(found.in_place.ravel() > SAME)
    assert list(moved) == [1, 10]


def test_the_order_is_where_pixels_of_the_picture_came_from(tiny_trace: Trace) -> None:
    edited, _ = after(tiny_trace, "i2=11 i=shuffled@3")
    before, now = (it.embedding()["patches"].tensor[0] for it in (tiny_trace, edited))
    torch.testing.assert_close(now, before[order_of(edited)])


@pytest.mark.parametrize("exchange", [Exchange(1, 10), Exchange(10, 1), Exchange(3, 3), Exchange(seed=3)], ids=str)
def test_what_a_hand_exchanges_is_what_the_edit_does(tiny_trace: Trace, exchange: Exchange) -> None:
    assert order_of(after(tiny_trace, exchange.edits)[0]).tolist() == exchange.order(16)


def test_nothing_reordered_is_no_difference_at_all(tiny_trace: Trace) -> None:
    found = reordered(tiny_trace)
    assert not found.in_place.any()
    assert not found.followed.any()
    assert (found.logits[0] == found.logits[1]).all()
