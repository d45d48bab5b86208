"""The clock: what is timed is the forward pass's own work. No duration is compared with another."""

from typing import Any

import pytest
import torch

from vitviz.config import ViTConfig
from vitviz.counts import stages_beside, total_parameters
from vitviz.laboratory import timed
from vitviz.machine.price import forward_bytes
from vitviz.measures import speed as clock
from vitviz.measures.speed import COPY, PRODUCT, Speed, Spent, in_turn, roof, speed
from vitviz.model import ViT
from vitviz.shelf.rows import BASE, CNNSizes
from vitviz.trace import Trace, record

TINY = ViTConfig(image_size=16, patch_size=8, dim=12, depth=2, heads=3, mlp_dim=20, classes=4)


@pytest.fixture(autouse=True)
def short_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "LEAST", 0.0)
    monkeypatch.setattr(clock, "SIDE", 8)
    monkeypatch.setattr(clock, "COPIED", 64)


@pytest.mark.parametrize(
    "changes",
    [{}, {"distilled": True}, {"activation": "swiglu", "layer_scale": True}, {"pool": "attention"}, {"classes": 0}],
    ids=str,
)
def test_every_stage_has_a_time(changes: dict[str, Any]) -> None:
    config = TINY.with_(**changes)
    measured = speed(record(ViT(config, seed=1), torch.randn(1, 3, 16, 16)))
    assert all(it.seconds > 0 for it in measured.stages)
    assert measured.forward > 0
    assert measured.peak > 0
    assert measured.bandwidth > 0
    calls = {it.stage: it.calls for it in measured.stages}
    assert calls["fused attention"] == calls["MLP, first layer"] == config.depth
    assert calls["layer norms"] == 2 * config.depth + 1
    assert calls["head"] == 1 + config.distilled
    assert ("attention pooling" in calls) == (config.pool == "attention")
    assert calls["QKᵀ"] == calls["q k v, token by token"] == 0


def test_stages_do_the_work_of_the_block(tiny_trace: Trace) -> None:
    inside = tiny_trace.inside(0)
    done = {stage: work() for stage, work, _ in clock._stages(tiny_trace)}
    with torch.no_grad():
        for stage, name in {
            "fused attention": "attn.z",
            "output projection": "attn.out",
            "MLP, second layer": "mlp.out",
            "layer norms": "norm1",
            "softmax": "attn.weights",
            "QKᵀ": "attn.scores",
        }.items():
            torch.testing.assert_close(done[stage], inside[name].tensor)
        torch.testing.assert_close(done["AV"], inside["attn.z"].tensor)
        torch.testing.assert_close(torch.cat(done["q k v, token by token"], dim=1), done["q k v projections"])


@pytest.mark.parametrize(
    ("changes", "called"),
    [
        ({}, {"fused attention"}),
        ({"positions": "relative"}, {"fused attention"}),
        ({"attention": "linear"}, {"linear attention"}),
        ({"attention": "top_k", "top_k": 2}, {"QKᵀ", "softmax", "AV"}),
        ({"attention": "window", "window": 0}, {"QKᵀ", "softmax", "AV"}),
        ({"score_scale": 0.3}, {"QKᵀ", "softmax", "AV"}),
    ],
    ids=["full", "relative", "linear", "top-k", "window", "scaled"],
)
def test_attention_is_timed_as_the_block_does_it(changes: dict[str, Any], called: set[str]) -> None:
    config = TINY.with_(**changes)
    trace = record(ViT(config, seed=1), torch.randn(1, 3, 16, 16))
    stages, inside = clock._stages(trace), trace.inside(0)
    ways = {"fused attention", "linear attention", "QKᵀ", "softmax", "AV"}
    assert {stage: calls for stage, _, calls in stages if stage in ways and calls} == dict.fromkeys(
        called, config.depth
    )
    with torch.no_grad():
        done = {stage: work() for stage, work, _ in stages}
    for stage in ways & done.keys():
        name = {"QKᵀ": "attn.scores", "softmax": "attn.weights"}.get(stage, "attn.z")
        torch.testing.assert_close(done[stage], inside[name].tensor)
    assert {stage for stage, _, calls in stages if not calls} == set(stages_beside(config))
    assert called | set(stages_beside(config)) >= ways & done.keys()


def test_works_take_turns_and_every_other_round_goes_backwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "SLOW", float("inf"))  # seconds; of what is slower there are fewer rounds
    called: list[str] = []
    found = in_turn([lambda: called.append("a"), lambda: called.append("b"), lambda: called.append("c")], rounds=2)
    assert [len(it) for it in found] == [2, 2, 2]
    assert "".join(called) == "abcabcabccba", "to warm up, to see how long one is, and two rounds"


@pytest.mark.parametrize(("peak", "bandwidth"), [(1e3, 1e3), (1.0, 1e3), (1e3, 1.0), (1.0, 1.0)])
def test_nothing_stands_above_the_roof(peak: float, bandwidth: float) -> None:
    works = [Spent("norms", 0, 60, 1.0), Spent("MLP", 400, 40, 2.0), Spent("head", 10, 20, 4.0)]
    found = roof(works, Speed((), 1.0, peak, bandwidth, 1 << 27))
    assert found.peak_of == (PRODUCT if peak == 1e3 else "MLP")
    assert found.bandwidth_of == (COPY if bandwidth == 1e3 else "norms")
    for it in works:
        assert 0 < found.share(it) <= 1
        assert it.rate <= min(found.peak, found.bandwidth * it.intensity)
    assert found.ridge == found.peak / found.bandwidth
    assert works[1].intensity == 20
    assert works[1].rate == 400


def test_before_two_models_are_made_their_parameters_and_activations_are_known_to_fit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(timed, "require", lambda needed, *_: asked.append(needed))
    wide = TINY.with_(dim=24, heads=6)
    timed.models_in_turn((TINY, wide), "cpu", "fp32")
    assert asked == [4 * (total_parameters(TINY) + total_parameters(wide)) + forward_bytes(wide)]


@pytest.mark.parametrize(("pictures", "side"), [(1, 32), (8, 64), (1, 256)])
def test_before_a_vit_and_a_cnn_are_made_what_they_hold_is_known_to_fit(
    pictures: int, side: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(timed, "require", lambda needed, *_: asked.append(needed))
    networks = timed.vit_and_cnn(pictures, side, "cpu", "fp32")
    drawn, batches = total_parameters(BASE) + CNNSizes().parameters, 2 * pictures * 3 * side**2
    assert asked[0] >= 4 * (drawn + batches) + max(it.memory for it in networks)


def test_before_stages_are_timed_what_is_copied_is_known_to_fit(
    tiny_trace: Trace, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(clock, "require", lambda needed, *_: asked.append(needed))
    monkeypatch.setattr(clock, "COPIED", 1 << 12)
    measured = speed(tiny_trace)
    assert measured.copied == 2 * (1 << 12)
    assert asked == [2 * (1 << 12) + 3 * 4 * 8**2 + forward_bytes(tiny_trace.config)]
