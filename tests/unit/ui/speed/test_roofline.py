"""What is said under the roof: which side a stage is on, and which of two equal models is slower."""

import pytest
from vitviz.pages.counting.speed.roofline import Alike, caption, outcome
from vitviz.pages.counting.speed.stages import WHOLE, spent

from vitviz.config import PRESETS
from vitviz.counts import mac_steps, total_macs, total_traffic, traffic
from vitviz.measures.speed import COPY, PRODUCT, Roof, Speed, Spent, Timing

CONFIG = PRESETS["demo"]
MEASURED = Speed((Timing("layer norms", 0.001, 13), Timing("QKᵀ", 0.002, 0)), 0.05, 5e9, 2e9, 1 << 27)


def model(name: str, seconds: tuple[float, ...], moved: int, macs: int = 1000) -> Alike:
    return Alike(CONFIG, seconds, Spent(name, macs, moved, sorted(seconds)[len(seconds) // 2]))


def test_stages_carry_the_bytes_of_all_their_calls() -> None:
    norms, scores, whole = spent(CONFIG, MEASURED, 2)
    assert (norms.name, norms.macs, norms.moved) == ("layer norms", 0, 2 * 13 * traffic(CONFIG)["layer norms"].count)
    assert norms.seconds == pytest.approx(0.013)
    assert scores.moved == 2 * CONFIG.depth * traffic(CONFIG)["QKᵀ"].count
    assert scores.macs == mac_steps(CONFIG)["QKᵀ"]
    assert (whole.name, whole.macs, whole.moved) == (WHOLE, total_macs(CONFIG), 2 * total_traffic(CONFIG))


def test_memory_bounds_what_stands_left_of_the_bend() -> None:
    left, right = Spent("layer norms", 0, 100, 1.0), Spent("head", 1000, 100, 1.0)
    roof = Roof(100.0, PRODUCT, 10.0, COPY)
    assert roof.ridge == 10
    words = caption(roof, MEASURED, [left, right])
    assert words.endswith(
        "They meet at 10.0 FLOP per byte. Memory sets the limit of layer norms; arithmetic sets the limit of head."
    )
    assert "cache" not in words
    assert caption(roof, MEASURED, [right]).endswith("byte. Arithmetic sets the limit of head.")
    assert caption(roof, MEASURED, [left]).endswith("byte. Memory sets the limit of layer norms.")
    assert "(layer norms; one large copy reaches 2.00 GB)" in caption(
        Roof(100.0, PRODUCT, 4e9, "layer norms"), MEASURED, [left]
    )


def test_two_models_of_equal_flops_are_told_apart_by_the_clock_alone() -> None:
    wide, deep = model("wide", (0.010, 0.011, 0.012), 300), model("deep", (0.020, 0.022, 0.030), 400)
    assert outcome([deep, wide]) == (
        "The FLOPs are equal to the unit, and yet the deep model takes × 2.00 the time. It also reads and writes more: "
        "400 B against 300 B."
    )
    assert "reads and writes no more, so bytes are not the reason: 200 B against 300 B" in outcome(
        [wide, model("deep", (0.012, 0.022, 0.021), 200)]
    )
    assert outcome([wide, model("deep", (0.009, 0.020, 0.030), 400, macs=998)]) == (
        "The FLOPs are equal within 0.200 %; in time neither is the faster one in every round."
    )
