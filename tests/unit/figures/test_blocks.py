"""What the figures of a block show is what they were given."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from vitviz import model
from vitviz.config import ACTIVATION_FUNCTIONS
from vitviz.figures import blocks

RANDOM = np.random.default_rng(0)


def test_both_histograms_count_every_number_and_share_one_axis() -> None:
    before, after = RANDOM.normal(2, 5, 96), RANDOM.normal(0, 1, 96)
    fig = blocks.spread(before, after, reach=20, colour="#123456")
    assert [bars.y.sum() for bars in fig.data] == [96, 96]
    assert fig.layout.xaxis.range == fig.layout.xaxis2.range == (-20, 20)
    lines = [shape.x0 for shape in fig.layout.shapes if shape.type == "line"]
    assert lines == pytest.approx([before.mean(), after.mean()])


def test_lengths_are_compared_on_one_scale_with_the_chosen_patch_framed_in_each() -> None:
    panels = {"attention adds": RANDOM.random(12), "MLP adds": 3 * RANDOM.random(12)}
    fig = blocks.lengths(panels, rows=3, columns=4, chosen=6)
    assert {heat.zmax for heat in fig.data} == {panels["MLP adds"].max()}
    assert {heat.zmin for heat in fig.data} == {0}
    np.testing.assert_allclose(fig.data[1].z, panels["MLP adds"].reshape(3, 4), rtol=1e-6)
    assert [(shape.x0, shape.y0, shape.xref) for shape in fig.layout.shapes] == [(1.5, 0.5, "x"), (1.5, 0.5, "x2")]


@pytest.mark.parametrize("kind", ACTIVATION_FUNCTIONS)
@pytest.mark.parametrize("seed", range(10))
def test_bubbles_lie_on_the_curve_and_their_areas_count_the_units(kind: str, seed: int) -> None:
    hidden = np.random.default_rng(seed).normal(-0.5, 1, 512)
    active = {"swiglu": F.silu, **model.ACTIVATION_FUNCTIONS}[kind](torch.tensor(hidden)).numpy()
    fig = blocks.activation(hidden, active, kind)
    name, curve_of = blocks.CURVES[kind]
    curve, bubbles = fig.data
    assert fig.layout.yaxis.title.text == f"{name}(x)"
    np.testing.assert_allclose(curve.y, curve_of(np.asarray(curve.x)))
    counts = bubbles.customdata[:, 0]
    assert counts.sum() == 512
    np.testing.assert_allclose(np.square(bubbles.marker.size) / counts, blocks.LARGEST_BUBBLE**2 / counts.max())
    np.testing.assert_allclose(bubbles.y, curve_of(np.asarray(bubbles.x)), atol=0.01)
    np.testing.assert_allclose(curve_of(hidden), active, atol=1e-12)


def test_similarity_diverges_around_zero_and_frames_the_row_of_the_chosen_token() -> None:
    cosines = np.eye(5, dtype=np.float32)
    fig = blocks.similarity(cosines, ["[class]", *"abcd"], chosen=2)
    assert (fig.data[0].zmin, fig.data[0].zmax) == (-1, 1)
    frame = fig.layout.shapes[0]
    assert (frame.x0, frame.x1, frame.y0, frame.y1) == (-0.5, 4.5, 1.5, 2.5)


def test_the_chosen_layer_is_the_large_point_of_the_curve() -> None:
    fig = blocks.similarity_by_depth(np.array([0.1, 0.2, 0.3, 0.4], np.float32), layer=1)
    assert np.argmax(fig.data[0].marker.size) == 2
    np.testing.assert_allclose(fig.data[0].y, [0.1, 0.2, 0.3, 0.4])
