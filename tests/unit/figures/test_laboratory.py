"""Figures of the laboratory: what is drawn where, on which scale, and what an untrusted name may not do."""

import numpy as np
import pytest

from vitviz.figures.frame import told
from vitviz.figures.laboratory import answers, chance, curves, first_values, five_shots, norms

MATRICES = ("queries", "keys", "values", "output")
NAMES = ("cat", "<b>dog</b>")


def random(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).random(shape, np.float32)


def test_a_strip_holds_every_answer_its_mean_and_the_undisturbed_one() -> None:
    values, plain = random(30, 2), np.array([0.7, 0.3], np.float32)
    dots, means, ticks = chance.strips(NAMES, values, plain).data
    np.testing.assert_array_equal(np.sort(dots.x[:30]), np.sort(values[:, 0]))
    assert np.abs(np.asarray(dots.y[:30])).max() < 0.5 < np.asarray(dots.y[30:]).min()
    np.testing.assert_allclose(means.x, values.mean(axis=0))
    np.testing.assert_array_equal(ticks.x, plain)
    assert "&lt;b&gt;dog" in chance.strips(NAMES, values, plain).layout.yaxis.ticktext[1]


def test_faint_probabilities_have_an_axis_of_their_own() -> None:
    faint = chance.strips(NAMES, random(30, 2) / 1000, np.array([2e-3, 1e-3], np.float32))
    assert faint.layout.xaxis.range[1] == pytest.approx(1.02 * 1.1 * 2e-3)
    assert chance.strips(NAMES, random(30, 2), np.zeros(2)).layout.xaxis.range[1] == 1.02


def test_what_fell_out_stands_in_its_run_and_layer() -> None:
    flags = np.zeros((3, 4, 2), bool)
    flags[1, 2, 0] = flags[2, 3, 1] = True
    attention, mlp = chance.left_out(flags).data
    assert (list(attention.x), list(mlp.x)) == ([2], [3])
    assert list(map(round, (attention.y[0], mlp.y[0]))) == [3, 4]


def test_bars_of_several_answers_share_their_classes() -> None:
    fig = answers.answers(NAMES, {"one": random(2), "other": random(2)})
    assert [bar.name for bar in fig.data] == ["one", "other"]
    assert fig.layout.yaxis.range == (1.5, -0.5)


def test_curves_beside_each_other_have_one_scale_and_no_point_for_zero() -> None:
    ours, theirs = np.array([0.1, 0, 10.0]), np.array([1.0, 2.0, 3.0])
    span = curves.span([ours, theirs])
    assert span == (0.1, 10)
    figures = [
        curves.by_layer({"a": it}, ["0", "1", "2"], span, "length", [place]) for place, it in enumerate((ours, theirs))
    ]
    assert figures[0].layout.yaxis.range == figures[1].layout.yaxis.range
    assert figures[0].layout.margin == figures[1].layout.margin
    assert np.isnan(figures[0].data[0].y[1])
    assert figures[0].data[0].line.dash != figures[1].data[0].line.dash
    assert curves.span([np.zeros(3)]) == (0.1, 1.0)


@pytest.mark.parametrize(
    ("span", "ticks"), [((12, 17), ("L5", "~g")), ((1, 30), ("D2", "~g")), ((1e-3, 1e4), (1, None))]
)
def test_a_short_axis_has_whole_numbers(span: tuple[float, float], ticks: tuple[str | int, str | None]) -> None:
    axis = curves.by_layer({"a": np.array(span)}, ["0", "1"], span, "length", [0]).layout.yaxis
    assert (axis.dtick, axis.tickformat) == ticks


def test_each_line_of_first_maps_has_the_scale_it_is_given() -> None:
    starts = {"a": random(2, 3, 4), "b": random(2, 3, 4)}
    shared, own = first_values.first_maps(starts, [1.0, 1.0]), first_values.first_maps(starts, [1.0, 0.5])
    assert [it.zmax for it in own.data] == [1, 1, 0.5, 0.5]
    assert [it.showscale for it in shared.data] == [True, False, False, False]
    assert not any(it.showscale for it in own.data)
    np.testing.assert_array_equal(shared.data[3].z, starts["b"][1])
    assert shared.data[3].customdata[1, 2].tolist() == [7, 2, 3], "each map counts its own patches, rows and columns"
    assert {it.name: it.values.tolist() for it in told(shared)} == {
        name: values.tolist() for name, values in starts.items()
    }


def test_gradients_of_zero_leave_a_panel_with_an_axis() -> None:
    fig = first_values.by_head({"drawn": random(4, 3), "zeros": np.zeros((4, 3))}, MATRICES)
    assert len(fig.data) == 8
    assert fig.layout.yaxis2.range[1] == 1


def test_shots_are_framed_wrong_pictures_crossed_and_names_no_markup() -> None:
    rows = [np.zeros((4, 96, 96, 3), np.uint8), np.zeros((2, 96, 96, 3), np.uint8)]
    fig = five_shots.pictures(NAMES, rows, [2, 1], [[0], []])
    framed = [(it.x0, it.x1, it.xref) for it in fig.layout.shapes if it.type == "rect"]
    assert framed == [(-0.5, 1.5, "x"), (-0.5, 0.5, "x2")]
    (cross,) = (it for it in fig.layout.shapes if it.name == five_shots.CROSSED)
    assert (cross.xref, cross.path.partition(",")[0]) == ("x", f"M{2 - five_shots.ARM}")
    assert "&lt;b&gt;" in fig.layout.annotations[1].text
    right = np.array([[4.0, 2.0], [6.0, 6.0]])
    dots, means = five_shots.by_shots(right, 8, 0.5, 2).data
    np.testing.assert_allclose(means.y, [0.375, 0.75])
    assert len(dots.y) == 4
    assert means.marker.size[1] > means.marker.size[0]
    assert list(five_shots.scores(NAMES, np.array([1.0, -1.0])).data[0].x) == [1, -1]


def test_shares_by_steps_stand_beside_the_frozen_models() -> None:
    right = [(0.5, 0.5), (1.0, 0.75)]
    shots, held_out, frozen = five_shots.by_steps([0, 5], right, True, 0.8).data
    assert (shots.y, held_out.y, frozen.y) == ((0.5, 1.0), (0.5, 0.75), (0.8, 0.8))
    assert [it.name for it in five_shots.by_steps([0, 5], right, False, None).data] == ["shots"]


def test_both_norms_are_drawn_on_one_scale() -> None:
    values = random(2, 2, 50) - 0.5
    fig = norms.pairs(values)
    assert fig.layout.xaxis.range == fig.layout.yaxis2.range
    np.testing.assert_array_equal(fig.data[3].y, values[1, 1])
    batches = norms.batches(np.zeros((50, 50, 3), np.uint8), [np.zeros((3, 96, 96, 3), np.uint8)] * 2, "AB")
    assert len(batches.layout.shapes) == 2


def test_curves_of_activations_are_their_functions() -> None:
    fig = norms.activations(np.ones(4), np.linspace(-2, 2, 5))
    named = {it.name: it for it in fig.data if it.type == "scatter"}
    relu, silu = named["ReLU"], named["SiLU, SwiGLU's gate"]
    np.testing.assert_allclose(relu.y, np.maximum(relu.x, 0))
    x = np.asarray(silu.x)
    np.testing.assert_allclose(silu.y, x / (1 + np.exp(-x)), atol=1e-6)
    assert norms.shown_name("gelu") == "GELU"


def test_faint_answers_are_seen_and_their_axis_says_how_faint() -> None:
    faint = answers.answers(NAMES, {"a": np.array([0.002, 0.001]), "b": np.array([0.0005, 0.001])}).layout.xaxis
    assert (faint.range[1] < 0.004, list(faint.ticktext)) == (True, ["0", "0.001", "0.002"])
    usual = answers.answers(NAMES, {"a": np.array([0.9, 0.1])}).layout.xaxis
    assert (usual.range[1] > 1, list(usual.ticktext)) == (True, ["0", "0.5", "1"])
