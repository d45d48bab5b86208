"""Cards and the plane of dim and depth: areas and places are those of the models."""

import re

import pytest

from tests.unit.figures.read import areas, lines, panel, spots
from vitviz.config import PRESETS, ViTConfig
from vitviz.counts import count_line, parameters
from vitviz.figures.counting import models as charts
from vitviz.figures.figure import Handle, Plane, Stop
from vitviz.ui.widgets.comparison import cards

MATRIX = re.compile(r"^blocks\.\d+\.(attn|mlp)\.\w+\.weight$")


def test_areas_of_cards_are_numbers_of_matrices() -> None:
    names = ("vit_tiny_patch16_224", "vit_huge_patch14_224", "wide heads", "gated")
    models = {name: PRESETS[name] for name in names[:2]} | {
        "wide heads": ViTConfig(dim=128, heads=4, head_dim=64, mlp_dim=500),
        "gated": ViTConfig(dim=128, heads=4, mlp_dim=512, activation="swiglu"),
    }
    chart = charts.cards(cards(models), framed=names[:1], choosable=names, choice="beside")
    for name, config in models.items():
        drawn = [area for area in areas(chart) if area.row == name and not area.framed]
        matrices = sum(row.count for row in parameters(config) if MATRIX.search(row.tensor))
        assert sum(area.width * area.height for area in drawn) == pytest.approx(matrices)
        biases_and_norms = config.depth * count_line(config, "block").here - matrices
        assert 0 < biases_and_norms < 0.01 * matrices
        assert {area.chooses for area in drawn} == {name}
    assert [area.row for area in areas(chart) if area.framed] == [names[0]]


def test_cards_do_not_overlap_and_only_presets_can_be_chosen() -> None:
    chart = charts.cards([("a", "a", 64, 256, 512, 3, 1), ("b", "b", 128, 512, 1024, 2, 2)], [], ["b"], "beside")
    first, second = ([area for area in areas(chart) if area.row == name] for name in "ab")
    assert max(area.x + area.width for area in first) < min(area.x for area in second)
    assert {area.chooses for area in first} == {""}


def test_the_plane_holds_everything_in_view() -> None:
    there = Plane("there", ("dim", "depth"), (64, 768, 832), tuple(range(1, 15)), (768, 12))
    budget = Handle("budget", "Budget", (Stop("1", 64, 9.5), Stop("2", 64, 19.0)), 0)
    chart = charts.plane([(64, 9.5), (128, 2.5)], [(128, 3, 2.5, "near")], [("B/16", 768, 12)], (16, 64), there, budget)
    assert panel(chart).across.high > 768
    assert panel(chart).down.high >= 12
    curve = next(line for line in lines(chart) if line.moves)
    assert curve.moves == "budget"
    assert curve.points == ((64, 9.5), (128, 2.5))
    assert [spot.text for spot in spots(chart)] == ["B/16", "1"]
