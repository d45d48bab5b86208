"""Attention as pictures: the numbers that were measured stand where they belong, on the scale that is written."""

from math import log

import numpy as np
import plotly.graph_objects as go
import pytest

from vitviz import palette
from vitviz.figures.attention import depth, maps, steps

RANDOM = np.random.default_rng(0)
PIXELS = RANDOM.integers(0, 256, (24, 32, 3), dtype=np.uint8)


def traces(fig: go.Figure, kind: str) -> list[go.Figure]:
    return [trace for trace in fig.data if trace.type == kind]


def box(shape: go.layout.Shape) -> tuple[float, float, float, float]:
    """Left, right, top, bottom."""
    return shape.x0, shape.x1, shape.y0, shape.y1


def test_an_overlay_lies_on_exactly_the_crop() -> None:
    weights = RANDOM.random((3, 4), dtype=np.float32)
    fig = maps.overlay(PIXELS, weights, limit=0.5, query=(2, 1))
    below, above = traces(fig, "image")[0], traces(fig, "heatmap")[0]
    assert (below.x0 - below.dx / 2, below.y0 - below.dy / 2) == (-0.5, -0.5)
    assert (below.dx * 32, below.dy * 24) == (4, 3)
    np.testing.assert_array_equal(above.z, weights)
    assert (above.zmin, above.zmax) == (0, 0.5)
    assert above.opacity < 1
    assert box(fig.layout.shapes[0]) == (0.5, 1.5, 1.5, 2.5)


def test_the_scale_writes_its_ends() -> None:
    fig = maps.overlay(PIXELS, RANDOM.random((3, 4)), limit=0.0314, query=None)
    assert traces(fig, "heatmap")[0].colorbar.ticktext == ("0", "0.031")
    assert not fig.layout.shapes


def test_grey_keeps_brightness_and_loses_colour() -> None:
    colours = np.array([[[255, 255, 255], [0, 0, 0], [255, 0, 0], [0, 255, 0]]], dtype=np.uint8)
    assert maps.grey(colours)[0, :, 0].tolist() == [255, 0, 76, 150]
    assert (maps.grey(PIXELS) == maps.grey(PIXELS)[..., :1]).all()


@pytest.mark.parametrize(("panels", "times"), [(1, 4), (3, 4), (4, 4), (12, 4), (5, 1)])
def test_every_panel_of_a_wall_is_its_map(panels: int, times: int) -> None:
    rows, columns = 12 // times, 16 // times
    values = RANDOM.random((panels, rows, columns), dtype=np.float32)
    fig = maps.wall(values, "head", limit=1.0, chosen=panels - 1, query=(0, columns - 1))
    cells, numbers = traces(fig, "heatmap")[0], traces(fig, "scatter")[0]
    assert np.isfinite(cells.z).sum() == panels * 12 * 16
    for panel in range(panels):
        place = np.argwhere(np.asarray(cells.customdata)[..., 3] == panel + 1)
        top, left = place.min(axis=0)
        np.testing.assert_array_equal(cells.z[top : top + 12 : times, left : left + 16 : times], values[panel])
        assert (numbers.x[panel], numbers.y[panel]) == (left - 0.5, top - 0.5)
        assert cells.customdata[top + 2 * times][left + times].tolist() == [2 * columns + 2, 3, 2, panel + 1]
    assert numbers.text[-1] == f"<b>{panels}</b>"
    assert box(fig.layout.shapes[0]) == (left - 0.5, left + 15.5, top - 0.5, top + 11.5)
    marks = traces(fig, "scatter")[1]
    assert (marks.x[-1], marks.y[-1]) == (left + 15.5 - times / 2, top - 0.5 + times / 2)


def test_a_matrix_has_a_row_per_query_and_closes_prefix_tokens_off() -> None:
    weights = RANDOM.random((6, 6), dtype=np.float32)
    names = ["[class]", "[distillation]", "patch 1", "patch 2", "patch 3", "patch 4"]
    fig = maps.matrix(weights, names, ("class", "distillation"), query=3)
    shown = traces(fig, "heatmap")[0]
    np.testing.assert_array_equal(shown.z, weights)
    assert list(shown.x) == list(shown.y) == names
    assert "query: %{y}" in shown.hovertemplate
    across, down, row, column = fig.layout.shapes
    assert (across.y0, down.x0) == (1.5, 1.5)
    assert across.line.color == palette.CLASS_TOKEN
    assert box(row) == (-0.5, 5.5, 2.5, 3.5)
    assert box(column) == (2.5, 3.5, -0.5, 5.5)
    assert list(fig.layout.xaxis.ticktext) == ["class", "1", "2", "3", "4"]
    assert list(fig.layout.xaxis.tickvals) == [0, 2, 3, 4, 5]


def test_ticks_point_at_the_patches_they_name() -> None:
    ticks = maps.token_ticks(tokens=197, prefix=("class",))
    assert dict(zip(ticks["ticktext"], ticks["tickvals"], strict=True)) == {
        "class": 0,
        "50": 50,
        "100": 100,
        "150": 150,
    }
    assert maps.token_ticks(tokens=4, prefix=())["tickvals"] == [0, 1, 2, 3]
    assert len(maps.token_ticks(tokens=100_000, prefix=())["ticktext"]) < 10


def test_a_dot_product_is_shown_term_by_term_in_the_colours_of_its_roles() -> None:
    q, k = RANDOM.standard_normal((2, 8))
    fig = steps.dot_product(q, k, "patch 3")
    above, middle, below = fig.data
    np.testing.assert_array_equal(above.y, q)
    np.testing.assert_array_equal(middle.y, k)
    np.testing.assert_allclose(below.y, q * k)
    assert (above.marker.color, middle.marker.color) == (palette.QUERY, palette.KEY)
    assert fig.layout.yaxis.range == fig.layout.yaxis2.range != fig.layout.yaxis3.range
    assert fig.layout.yaxis.range[1] >= np.abs([q, k]).max()


def test_scores_and_weights_share_the_tokens_and_frame_one_key() -> None:
    scores = RANDOM.standard_normal(5)
    weights = np.exp(scores) / np.exp(scores).sum()
    fig = steps.scores_and_weights(scores, weights, ["[class]", *"1234"], ("class",), key=2)
    np.testing.assert_array_equal(fig.data[0].y, scores)
    np.testing.assert_array_equal(fig.data[1].y, weights)
    assert fig.data[0].marker.color[0] == palette.CLASS_TOKEN
    assert set(fig.data[0].marker.color[1:]) == {palette.KEY}
    first, second, uniform = fig.layout.shapes
    assert (first.x0, first.x1, first.yref, second.yref) == (1.5, 2.5, "y domain", "y2 domain")
    assert (uniform.y0, uniform.yref) == (0.2, "y2")


def test_weighted_values_have_one_scale_and_their_totals_another() -> None:
    parts = RANDOM.standard_normal((2, 8))
    fig = steps.weighted_values([("a", parts[0]), ("b", parts[1])], [("sum", 9 * parts.sum(axis=0))])
    assert [label.text for label in fig.layout.annotations] == ["a", "b", "sum"]
    ends = [fig.layout[axis].range[1] for axis in ("yaxis", "yaxis2", "yaxis3")]
    assert ends[0] == ends[1] == pytest.approx(1.1 * np.abs(parts).max())
    assert ends[2] == pytest.approx(9.9 * np.abs(parts.sum(axis=0)).max())
    assert {bars.marker.color for bars in fig.data} == {palette.VALUE}
    domains = [fig.layout[axis].domain for axis in ("yaxis", "yaxis2", "yaxis3")]
    assert domains[0][0] > domains[1][1] > domains[1][0] > domains[2][1]


def test_each_head_is_a_dot_in_its_layer() -> None:
    values = RANDOM.random((3, 4))
    fig = depth.distance(values, uniform=0.9, patch_size=16)
    dots, means = fig.data[:2]
    np.testing.assert_array_equal(dots.y, values.ravel())
    np.testing.assert_array_equal(np.round(dots.x), np.repeat([1, 2, 3], 4))
    np.testing.assert_allclose(np.asarray(dots.customdata)[:, 2], 16 * values.ravel())
    np.testing.assert_allclose(means.y, values.mean(axis=1))
    assert fig.layout.shapes[0].y0 == 0.9
    assert fig.layout.yaxis2.range[1] == 16 * fig.layout.yaxis.range[1]


def test_entropy_is_said_as_tokens_too() -> None:
    fig = depth.entropy(np.array([[log(5), 0.0]]), uniform=log(17))
    np.testing.assert_allclose(np.asarray(fig.data[0].customdata)[:, 2], [5, 1])
    assert fig.layout.title.text == "dashed: uniform, 2.83 nats"


def test_a_single_patch_still_makes_a_picture() -> None:
    assert depth.distance(np.zeros((1, 1)), uniform=0.0, patch_size=24).layout.yaxis.range == (0, 1)
    assert np.isfinite(maps.wall(np.ones((1, 1, 1)), "head", 1.0, 0, (0, 0)).data[0].z).mean() > 0.9
    assert maps.token_ticks(tokens=2, prefix=("class",))["ticktext"] == ["class", "1"]
