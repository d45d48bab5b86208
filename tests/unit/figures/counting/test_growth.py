"""Curves of growth: the model is in view, ticks are round, and a handle stands on its curve."""

import pytest

from tests.unit.figures.read import panel, rules, spots
from vitviz.config import PRESETS
from vitviz.counts import growth, law, overtaking
from vitviz.figures.axes import linear, logarithmic
from vitviz.figures.counting.growth import Curve, curves
from vitviz.figures.figure import Handle, Stop

BASE = PRESETS["vit_base_patch16_224"]


@pytest.mark.parametrize("log", [True, False])
def test_curves_mark_the_model_and_keep_it_in_view(log: bool) -> None:
    points = growth(BASE, "image_size")
    now = next(point for point in points if point.size == 224)
    lines: list[Curve] = [
        ("all", [it.macs for it in points], "#000", "solid"),
        ("law", law(points, now, 2), "#000", "dash"),
    ]
    handle = Handle("size", "Size", tuple(Stop(str(it.size), it.against, it.macs) for it in points), points.index(now))
    marks = [(float(overtaking(BASE).at or 0), "take over"), (10**9, "out of sight")]
    chart = curves(
        [it.against for it in points], lines, handle, "tokens", unit="MAC", log=log, now=(197, now.macs), marks=marks
    )
    (spot,) = spots(chart)
    stop = chart.handles[0].stops[chart.handles[0].at]
    assert (spot.x, spot.y) == (stop.x, stop.y) == (197, 17_563_828_224)
    assert panel(chart).across.log == panel(chart).down.log == log
    assert panel(chart).down.high > max(it.macs for it in points)
    assert [(rule.x, rule.text) for rule in rules(chart)] == [(4608, "take over")]


def test_ticks_are_round_and_lie_on_their_axis() -> None:
    assert linear(1182, "tokens", 9).ticks[:3] == ((0, "0"), (200, "200"), (400, "400"))
    assert [text for _, text in linear(130e9, "MAC").ticks] == ["0", "25 G", "50 G", "75 G", "100 G", "125 G"]
    axis = logarithmic(3, 40_000, "tokens")
    assert axis.ticks == ((10, "10"), (100, "100"), (1000, "1,000"), (10_000, "10 k"))
    few = logarithmic(0.4, 12, "ms")
    assert [text for _, text in few.ticks] == ["0.5", "1", "2", "5", "10"]
