"""Figures of counts: what is drawn is what was counted."""

from collections.abc import Sequence

import pytest

from vitviz.config import PRESETS, ViTConfig
from vitviz.counts import activations, columns, growth, law, mac_split, parameter_split, total_parameters
from vitviz.figures import counts as figures
from vitviz.figures.growth import curves

BASE = PRESETS["vit_base_patch16_224"]


@pytest.mark.parametrize("config", [PRESETS["demo"], BASE, PRESETS["deit_base_distilled_patch16_224"]])
def test_areas_of_the_mosaic_are_shares_of_all_parameters(config: ViTConfig) -> None:
    areas = {
        trace.name.split(",")[0]: sum(width * height for width, height in zip(trace.width, trace.y, strict=True))
        for trace in figures.mosaic(columns(config)).data
    }
    assert sum(areas.values()) == pytest.approx(1)
    for item in parameter_split(config):
        assert areas[item.name] == pytest.approx(item.count / total_parameters(config))


def test_the_mosaic_of_base_says_where_most_parameters_sit() -> None:
    said = [it.text for it in figures.mosaic(columns(BASE)).layout.annotations]
    assert "<b>MLP<br>65.5 %</b>" in said
    assert "<b>attention<br>32.7 %</b>" in said


def test_bars_of_the_presets_reach_their_totals() -> None:
    models = [(name, {it.name: it.count for it in parameter_split(config)}) for name, config in PRESETS.items()]
    fig = figures.totals(models, "parameters")
    for place, config in enumerate(PRESETS.values()):
        assert sum(trace.x[place] for trace in fig.data) == total_parameters(config)


def test_bars_of_tensors_are_their_bytes_and_roles_keep_their_colours() -> None:
    rows = [row for row in activations(BASE) if row.name.startswith("blocks.0.")]
    bars = figures.sizes([(row.name, row.axes, row.bytes) for row in rows]).data[0]
    assert list(bars.x) == [row.bytes for row in rows]
    colours = dict(zip(bars.y, bars.marker.color, strict=True))
    assert colours["blocks.0.attn.q"] == figures.palette.QUERY
    assert colours["blocks.0.attn.k"] == figures.palette.KEY
    assert colours["blocks.0.attn.v"] == figures.palette.VALUE


@pytest.mark.parametrize(("share", "text"), [(0.6546, "65.5 %"), (0.001, "0.1 %"), (0.0005, "under 0.1 %")])
def test_a_share_as_text(share: float, text: str) -> None:
    assert figures.percent(share) == text


def test_what_is_left_out_is_drawn_to_scale_and_named() -> None:
    fig = figures.left_out([("class token", 768, "layer table or envelope"), ("MLP, biases", 46_080, "envelope")])
    assert list(fig.data[0].x) == [768, 46_080]
    assert fig.layout.annotations[1].text == "MLP, biases <b>46,080</b>, not in the envelope"


def test_shares_of_every_model_sum_to_one() -> None:
    models = [(name, {it.name: it.count for it in mac_split(config)}) for name, config in PRESETS.items()]
    fig = figures.totals(models, "MAC", shares=True)
    for place in range(len(models)):
        assert sum(trace.x[place] for trace in fig.data) == pytest.approx(1)


@pytest.mark.parametrize("log", [True, False])
def test_curves_mark_the_model_and_keep_it_in_view(log: bool) -> None:
    points = growth(BASE, "image_size")
    now = next(point for point in points if point.size == 224)
    lines: list[tuple[str, Sequence[float], str, str]] = [
        ("all", [it.macs for it in points], "#000", "solid"),
        ("law", law(points, now, 2), "#000", "dash"),
    ]
    fig = curves([it.against for it in points], lines, (197, now.macs), "tokens", unit="MAC", log=log)
    assert (fig.data[-1].x[0], fig.data[-1].y[0]) == (197, 17_563_828_224)
    assert fig.layout.xaxis.type == ("log" if log else "linear")
    if not log:
        assert fig.layout.yaxis.range[1] > max(it.macs for it in points)


def test_counted_and_measured_stand_on_one_scale() -> None:
    fig = figures.counted_and_measured([("MLP", 0.6, 0.5), ("layer norms", 0.0, 0.1)])
    assert [list(trace.x) for trace in fig.data] == [[0.6, 0.0], [0.5, 0.1]]
    assert list(fig.data[0].text) == ["60.0 %", "0"]


def test_names_of_models_are_drawn_as_text() -> None:
    fig = figures.totals([("<b>mine</b>", {"attention": 1})], "MAC")
    assert fig.layout.annotations[0].text == "&lt;b&gt;mine&lt;/b&gt; <b>1</b>"
    assert fig.data[0].customdata[0][0] == "&lt;b&gt;mine&lt;/b&gt;"
