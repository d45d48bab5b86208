"""Cards and the plane of dim and depth: areas and places are those of the models."""

from typing import Any

import pytest

from vitviz.config import PRESETS
from vitviz.counts import count_line, total_parameters
from vitviz.figures import models as figures


def area(trace: Any) -> float:
    corners = [(x, y) for x, y in zip(trace.x, trace.y, strict=True) if x is not None]
    return sum(
        (corners[at + 1][0] - corners[at][0]) * (corners[at + 2][1] - corners[at + 1][1])
        for at in range(0, len(corners), 5)
    )


def test_areas_of_cards_are_numbers_of_matrices() -> None:
    models = {name: PRESETS[name] for name in ("vit_tiny_patch16_224", "vit_huge_patch14_224")}
    cards = [(name, it.dim, 2 * it.mlp_dim, it.depth, total_parameters(it)) for name, it in models.items()]
    fig = figures.cards(cards, framed=["vit_tiny_patch16_224"])
    areas = [area(trace) for trace in fig.data]
    for place, config in enumerate(models.values()):
        matrices = config.depth * (4 * config.dim**2 + 2 * config.dim * config.mlp_dim)
        assert areas[2 * place] + areas[2 * place + 1] == pytest.approx(matrices)
        biases_and_norms = config.depth * count_line(config, "block").here - matrices
        assert 0 < biases_and_norms < 0.01 * matrices
    assert len(fig.layout.shapes) == 1


def test_cards_do_not_overlap() -> None:
    fig = figures.cards([("a", 64, 512, 3, 1), ("b", 128, 1024, 2, 2)], framed=[])
    assert max(x for x in fig.data[1].x if x is not None) < min(x for x in fig.data[2].x if x is not None)


def test_the_plane_holds_everything_in_view() -> None:
    fig = figures.plane([(64, 9.5), (128, 2.5)], [("1", 128, 3)], [("B/16", 768, 12)], (16, 64))
    assert fig.layout.xaxis.range[1] > 768
    assert fig.layout.yaxis.range[1] > 12
    assert list(fig.data[-1].text) == ["1"]


def test_names_of_models_are_drawn_as_text() -> None:
    fig = figures.cards([("<i>mine</i>", 64, 512, 3, 1)], framed=[])
    assert "<i>" not in str(fig)
    assert fig.layout.annotations[0].text == "<b>&lt;i&gt;mine&lt;/i&gt;</b><br>1"
