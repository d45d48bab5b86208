"""Charts of counts: what is drawn is what was counted."""

from itertools import pairwise

import pytest

from tests.unit.figures.read import areas, panel, texts
from vitviz import palette
from vitviz.config import PRESETS, ViTConfig
from vitviz.counts import activations, columns, mac_split, parameter_split, total_parameters
from vitviz.figures.counting import counts as charts
from vitviz.figures.figure import Figure
from vitviz.figures.printed.drawn import drawn
from vitviz.figures.printed.marks import Box, Words

BASE = PRESETS["vit_base_patch16_224"]


def rows(chart: Figure, row: str) -> list[float]:
    return [area.width * area.height for area in areas(chart) if area.row == row and not area.text]


@pytest.mark.parametrize("config", [PRESETS["demo"], BASE, PRESETS["deit_base_distilled_patch16_224"]])
def test_areas_of_the_mosaic_are_numbers_of_parameters(config: ViTConfig) -> None:
    chart = charts.mosaic(columns(config), config.dim)
    for item in parameter_split(config):
        assert sum(rows(chart, item.name)) == pytest.approx(item.count)
    assert sum(area.width * area.height for area in areas(chart) if not area.text) == pytest.approx(
        total_parameters(config)
    )
    assert panel(chart).across.high * panel(chart).down.high == pytest.approx(total_parameters(config))


def test_areas_of_the_mosaic_fill_their_columns_without_gaps() -> None:
    shown = [area for area in areas(charts.mosaic(columns(BASE), BASE.dim)) if not area.text]
    ends = {round(area.x + area.width, 6) for area in shown}
    assert {round(area.x, 6) for area in shown} - {0.0} <= ends
    assert max(area.y + area.height for area in shown) == pytest.approx(BASE.dim)


def test_the_mosaic_of_base_says_where_most_parameters_sit() -> None:
    said = [area.text for area in areas(charts.mosaic(columns(BASE), BASE.dim))]
    assert "MLP\n65.5 %" in said
    assert "attention\n32.7 %" in said


def test_the_words_of_the_mosaic_cover_the_edges_under_them() -> None:
    chart = charts.mosaic(columns(BASE), BASE.dim)
    grounds = {area.text.partition("\n")[0]: area.ground for area in areas(chart) if area.text}
    assert grounds["MLP"] == palette.STAGES["MLP"]
    marks = drawn(chart, 900)
    plate, words = next(pair for pair in pairwise(marks) if isinstance(pair[1], Words) and pair[1].text == "MLP")
    assert isinstance(plate, Box)
    assert plate.colour == palette.STAGES["MLP"]
    assert isinstance(words, Words)
    assert plate.x < words.x < plate.x + plate.width


def test_bars_of_the_presets_reach_their_totals() -> None:
    models = [(name, {it.name: it.count for it in parameter_split(config)}) for name, config in PRESETS.items()]
    chart = charts.totals(models, "parameters")
    for place, config in enumerate(PRESETS.values()):
        assert sum(area.width for area in areas(chart) if int(area.y) == place) == total_parameters(config)


def test_bars_of_tensors_are_their_bytes_and_roles_keep_their_colours() -> None:
    tensors = [row for row in activations(BASE) if row.name.startswith("blocks.0.")]
    bars = areas(charts.sizes([(row.name, row.axes, row.bytes) for row in tensors]))
    assert [bar.width for bar in bars] == [row.bytes for row in tensors]
    colours = {bar.row: bar.colour for bar in bars}
    assert colours["blocks.0.attn.q"] == palette.QUERY
    assert colours["blocks.0.attn.k"] == palette.KEY
    assert colours["blocks.0.attn.v"] == palette.VALUE


def test_what_is_left_out_is_drawn_to_scale_and_named() -> None:
    chart = charts.left_out([("class token", 768, "layer table"), ("MLP, biases", 46_080, "back-of-the-envelope")])
    assert [area.width for area in areas(chart)] == [768, 46_080]
    assert texts(chart)[1].text == "MLP, biases: 46,080, not in: back-of-the-envelope"


def test_shares_of_every_model_sum_to_one() -> None:
    models = [(name, {it.name: it.count for it in mac_split(config)}) for name, config in PRESETS.items()]
    chart = charts.totals(models, "MAC", shares=True, beside=True)
    for place in range(len(models)):
        assert sum(area.width for area in areas(chart) if int(area.y) == place) == pytest.approx(1)


def test_counted_and_measured_stand_on_one_scale() -> None:
    chart = charts.counted_and_measured([("MLP", 0.6, 0.5), ("layer norms", 0.0, 0.1)])
    assert [area.width for area in areas(chart)] == [0.6, 0.5, 0.0, 0.1]
    assert [text.text.strip() for text in texts(chart)] == ["MLP", "60.0 %", "50.0 %", "layer norms", "0", "10.0 %"]
