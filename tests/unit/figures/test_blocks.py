"""What the figures of a block show is what they were given."""

from itertools import product

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from tests.cases import each
from tests.unit.figures.read import column, marks, panel, panels
from vitviz import model
from vitviz.config import ACTIVATION_FUNCTIONS
from vitviz.figures.marks import Area, Bars, Colours, Heat, Line, Points
from vitviz.figures.model import blocks
from vitviz.figures.numbers import numbers_of
from vitviz.figures.plotly import spec
from vitviz.figures.printed.drawn import drawn
from vitviz.figures.strips import strips

RANDOM = np.random.default_rng(0)


def test_both_histograms_count_every_number_and_share_one_axis() -> None:
    before, after = RANDOM.normal(2, 5, 96), RANDOM.normal(0, 1, 96)
    fig = blocks.spread(before, after, reach=20, colour="#123456")
    assert [bars.values.sum() for bars in marks(fig, Bars)] == [96, 96]
    assert {(panel.across.low, panel.across.high) for panel in panels(fig)} == {(-20, 20)}
    assert [line.points[0][0] for line in marks(fig, Line)] == pytest.approx([before.mean(), after.mean()])
    assert [band.width for band in marks(fig, Area)] == pytest.approx([2 * before.std(), 2 * after.std()])
    assert [(it.name, it.axes) for it in fig.numbers] == [("before", ("component",)), ("after", ("component",))]
    np.testing.assert_array_equal(fig.numbers[1].values, after)


def test_lengths_are_compared_on_one_scale_with_the_chosen_patch_framed_in_each() -> None:
    named = {"attention adds": RANDOM.random(12), "MLP adds": 3 * RANDOM.random(12)}
    fig = blocks.lengths(named, rows=3, columns=4, chosen=6)
    assert [panel.title for panel in panels(fig)] == list(named)
    assert {heat.colours for heat in marks(fig, Heat)} == {fig.scale} == {Colours(named["MLP adds"].max())}
    np.testing.assert_array_equal(marks(fig, Heat)[1].values, named["MLP adds"].reshape(3, 4))
    assert [(frame.x, frame.y, frame.framed) for frame in marks(fig, Area)] == 2 * [(1.5, 0.5, True)]
    assert [(it.name, it.axes, it.values.shape) for it in fig.numbers] == [
        (name, ("row", "column"), (3, 4)) for name in named
    ]


@each(product(ACTIVATION_FUNCTIONS, range(10)))
def test_bubbles_lie_on_the_curve_and_their_areas_count_the_units(kind: str, seed: int) -> None:
    hidden = np.random.default_rng(seed).normal(-0.5, 1, 512)
    active = {"swiglu": F.silu, **model.ACTIVATION_FUNCTIONS}[kind](torch.tensor(hidden)).numpy()
    fig = blocks.activation(hidden, active, kind)
    name, curve_of = blocks.CURVES[kind]
    (curve,), (bubbles,), down = marks(fig, Line), marks(fig, Points), panel(fig).down
    assert down.title == f"{name}(x)"
    x, y = np.array(curve.points).T
    np.testing.assert_allclose(y, curve_of(x))
    assert down.low < min(y.min(), bubbles.y.min()) < max(y.max(), bubbles.y.max()) < down.high
    counts = column(bubbles, "count")
    assert counts.sum() == 512
    np.testing.assert_allclose(np.square(bubbles.sizes) / counts, blocks.LARGEST_BUBBLE**2 / counts.max())
    np.testing.assert_allclose(bubbles.y, curve_of(bubbles.x), atol=0.01)
    assert [(it.name, it.axes) for it in fig.numbers] == [("before", ("unit",)), ("after", ("unit",))]
    np.testing.assert_allclose(curve_of(hidden), active, atol=1e-12)


def test_the_share_of_active_units_lies_on_the_patches() -> None:
    share = RANDOM.random(12)
    fig = blocks.active(share, rows=3, columns=4, chosen=None)
    (heat,) = marks(fig, Heat)
    assert not marks(fig, Area)
    np.testing.assert_array_equal(heat.values, share.reshape(3, 4))
    assert heat.colours == fig.scale == Colours(share.max())
    (shown,) = numbers_of(fig)
    assert (shown.name, shown.axes) == ("values", ("row", "column"))


def test_similarity_diverges_around_zero_and_frames_the_row_of_the_chosen_token() -> None:
    names = ["[class]", *"abcd"]
    fig = blocks.similarity(np.eye(5, dtype=np.float32), names, chosen=2)
    (heat,), (frame,) = marks(fig, Heat), marks(fig, Area)
    assert heat.colours == fig.scale == Colours(1, signed=True)
    assert (frame.x, frame.y, frame.width, frame.height) == (-0.5, 1.5, 5, 1)
    assert fig.numbers[0].names == {"row": names, "column": names}


def test_the_chosen_layer_is_the_large_point_of_the_curve() -> None:
    means = np.array([0.1, 0.2, 0.3, 0.4], np.float32)
    fig = blocks.similarity_by_depth(means, layer=1)
    (points,) = marks(fig, Points)
    assert np.argmax(points.sizes) == 2
    np.testing.assert_array_equal(points.y, means)
    (shown,) = numbers_of(fig)
    assert shown.names == {"coordinate": ("after layer (0: the embedding)", "y")}
    np.testing.assert_allclose(shown.values[:, 1], means)


def test_numbers_that_are_all_0_still_make_pictures() -> None:
    zeros = np.zeros(4)
    for fig in (
        blocks.spread(zeros, zeros, 0.0, "#123456"),
        blocks.lengths({"enters": zeros, "leaves": zeros}, 2, 2, 0),
        blocks.activation(zeros, zeros, "relu"),
        blocks.active(zeros, 2, 2, 0),
        blocks.similarity_by_depth(zeros, 0),
        strips({"zeros": zeros}),
    ):
        assert drawn(fig, 800)
        assert spec(fig)["data"]
