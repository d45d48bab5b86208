"""Figures of the laboratory: what is drawn where, on which scale, and what an untrusted name may not do."""

import json
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import pytest

from vitviz.figures.figure import Figure, Panel
from vitviz.figures.laboratory import answers, chance, curves, first_values, five_shots, norms, panels
from vitviz.figures.marks import Area, Bars, Heat, Line, Picture, Points, Says, Text
from vitviz.figures.numbers import numbers_of
from vitviz.figures.plotly import spec

MATRICES = ("queries", "keys", "values", "output")
NAMES = ("cat", "<b>dog</b>")
M = TypeVar("M", Area, Bars, Heat, Line, Picture, Points, Text)


def random(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).random(shape, np.float32)


def panel_of(figure: Figure) -> Panel:
    ((panel,),) = figure.rows
    return panel


def marks(figure: Figure, kind: type[M]) -> list[M]:
    return [mark for row in figure.rows for panel in row for mark in panel.marks if isinstance(mark, kind)]


def frames(figure: Figure) -> list[tuple[float, float, float, float]]:
    """Left, top, width and height of what is framed."""
    return [(it.x, it.y, it.width, it.height) for it in marks(figure, Area) if it.framed]


def told(figure: Figure) -> dict[str, Sequence[object]]:
    return {it.name: it.values.tolist() for it in numbers_of(figure)}


def is_text(figure: Figure) -> bool:
    """Whether a name with markup is drawn, and as text."""
    drawn = json.dumps(spec(figure), default=str)
    return "&lt;b&gt;dog" in drawn and "<b>dog" not in drawn


def test_a_strip_holds_every_answer_its_mean_and_the_undisturbed_one() -> None:
    values, plain = random(30, 2), np.array([0.7, 0.3], np.float32)
    figure = chance.strips(NAMES, values, plain)
    dots, means = marks(figure, Points)
    np.testing.assert_array_equal(np.sort(dots.x[:30]), np.sort(values[:, 0]))
    assert np.abs(dots.y[:30]).max() < 0.5 < dots.y[30:].min()
    np.testing.assert_allclose(means.x, values.mean(axis=0))
    np.testing.assert_array_equal([it.points[0][0] for it in marks(figure, Line)], plain)
    assert list(told(figure)) == ["30 answers", "their mean", "undisturbed"]
    assert told(figure)["undisturbed"] == [[plain[0], 0], [plain[1], 1]]
    assert is_text(figure)


def test_faint_probabilities_have_an_axis_of_their_own() -> None:
    faint = chance.strips(NAMES, random(30, 2) / 1000, np.array([2e-3, 1e-3], np.float32))
    assert panel_of(faint).across.high == pytest.approx(1.02 * 1.1 * 2e-3)
    assert panel_of(chance.strips(NAMES, random(30, 2), np.zeros(2))).across.high == 1.02


def test_what_fell_out_stands_in_its_run_and_layer() -> None:
    flags = np.zeros((3, 4, 2), bool)
    flags[1, 2, 0] = flags[2, 3, 1] = True
    figure = chance.left_out(flags)
    attention, mlp = marks(figure, Points)
    assert (list(attention.x), list(mlp.x)) == ([2], [3])
    assert list(map(round, (attention.y[0], mlp.y[0]))) == [3, 4]
    first, second = numbers_of(figure)
    assert (first.name, second.name) == ("attention dropped", "MLP dropped")
    assert first.names["coordinate"] == ("run", "layer")


def test_bars_of_several_answers_share_their_classes() -> None:
    values = {"one": random(2), "other": random(2) / 2}
    figure = answers.answers(NAMES, values)
    assert [key.text for key in figure.legend] == ["one", "other"]
    assert (panel_of(figure).down.low, panel_of(figure).down.high) == (1.5, -0.5)
    one, other = marks(figure, Bars)
    np.testing.assert_allclose(other.places - one.places, one.thick)  # side by side, around the line of the class
    np.testing.assert_allclose((one.places + other.places) / 2, [0, 1])
    assert told(figure) == {name: it.tolist() for name, it in values.items()}
    assert numbers_of(figure)[0].names == {"bar": NAMES}
    assert is_text(figure)


def test_curves_beside_each_other_have_one_scale_and_no_point_for_zero() -> None:
    ours, theirs = np.array([0.1, 0, 10.0]), np.array([1.0, 2.0, 3.0])
    span = curves.span([ours, theirs])
    assert span == (0.1, 10)
    figures = [
        curves.by_layer({"a": it}, ["0", "1", "2"], span, "length", [place]) for place, it in enumerate((ours, theirs))
    ]
    first, second = map(panel_of, figures)
    assert (first.down, first.height) == (second.down, second.height)
    assert first.down.low < 0.1 < 10 < first.down.high
    (points,) = marks(figures[0], Points)
    assert (points.x.tolist(), points.y.tolist()) == ([0, 2], [0.1, 10])
    assert points.says is not None
    assert list(points.says.columns["stage"]) == ["0", "2"]
    assert all(len(line.points) == 1 for line in marks(figures[0], Line)), "no line leads over what has no place"
    (numbers,) = numbers_of(figures[0])
    np.testing.assert_array_equal(numbers.values, [[0, 0.1], [1, np.nan], [2, 10]])
    assert (numbers.name, numbers.names["coordinate"]) == ("a", ("layer", "length"))
    assert list(told(figures[1])) == ["a"], "a curve is told once"
    assert figures[0].legend[0].dash != figures[1].legend[0].dash == marks(figures[1], Line)[0].dash
    assert curves.span([np.zeros(3)]) == (0.1, 1.0)


@pytest.mark.parametrize(
    ("span", "ticks"),
    [
        ((12, 17), ["10", "12.5", "15", "17.5"]),
        ((1, 30), ["1", "2", "5", "10", "20"]),
        ((1e-2, 1e3), ["0.01", "0.1", "1"]),
    ],
)
def test_an_axis_says_whole_numbers_however_short_it_is(span: tuple[float, float], ticks: list[str]) -> None:
    figure = curves.by_layer({"a": np.array(span)}, ["0", "1"], span, "length", [0])
    axis = spec(figure)["layout"]["yaxis"]
    assert axis["ticktext"][: len(ticks)] == ticks
    assert 10 ** axis["range"][0] <= axis["tickvals"][0] < axis["tickvals"][-1] <= 10 ** axis["range"][1]


def test_heads_have_no_halves_between_them() -> None:
    figure = first_values.by_head({"a": random(4, 2), "b": random(4, 2)}, ["q", "k", "v", "o"])
    layout = spec(figure)["layout"]
    assert [layout[axis]["ticktext"] for axis in ("xaxis", "xaxis2")] == [["1", "2"]] * 2


def test_each_line_of_first_maps_has_the_scale_it_is_given() -> None:
    starts = {"a": random(2, 3, 4), "b": random(2, 3, 4)}
    shared, own = first_values.first_maps(starts, [1.0] * 2, shared=True), first_values.first_maps(starts, [1.0, 0.5])
    maps = marks(shared, Heat)
    assert [it.colours.limit for it in marks(own, Heat)] == [1, 1, 0.5, 0.5]
    assert shared.scale == maps[0].colours
    assert own.scale is None
    first = first_values.first_maps({"a": starts["a"]}, [1.0], awaited=["b"], shared=True)
    assert spec(first)["layout"]["height"] == spec(shared)["layout"]["height"], "nothing moves"
    np.testing.assert_array_equal(maps[3].values, starts["b"][1])
    places = maps[3].says.columns
    assert [np.asarray(places[name])[1, 2] for name in ("patch", "row", "column")] == [7, 2, 3], (
        "each map counts its own patches"
    )
    assert told(shared) == {name: values.tolist() for name, values in starts.items()}
    (beside,) = first_values.first_maps(starts, [1.0, 0.5], awaited=["c"]).rows
    lines = first_values.first_maps({name: random(5, 3, 4) for name in "ab"}, [1.0, 0.5], awaited=["c"]).rows
    titles = ["a: 0 to 1.00", "b: 0 to 0.500", "c: …"]
    assert [panel.title for panel in beside] == [panel.title for (panel,) in lines] == titles


def test_gradients_of_zero_leave_a_panel_with_an_axis() -> None:
    starts = {"drawn": random(4, 3), "zeros": np.zeros((4, 3))}
    figure = first_values.by_head(starts, MATRICES)
    assert len(marks(figure, Bars)) == 8
    assert [row[0].down.high for row in figure.rows] == [pytest.approx(1.15 * starts["drawn"].max()), 1]
    assert told(figure)["drawn, keys"] == starts["drawn"][1].tolist()


def test_shots_are_framed_wrong_pictures_crossed_and_names_no_markup() -> None:
    rows = [np.zeros((4, 96, 96, 3), np.uint8), np.ones((2, 96, 96, 3), np.uint8)]
    figure = five_shots.pictures(NAMES, rows, [2, 1], [[0], []])
    first, second = marks(figure, Picture)
    assert frames(figure) == [(-0.5, -0.5, 2, 1), (-0.5, -0.5, 1, 1)]
    ticks = [[text for _, text in it.across.ticks] for row in figure.rows for it in row]
    assert ticks == [["shots", "held out"], ["shot", "held out"]]
    crosses = [it for it in marks(figure, Line) if it.says == five_shots.CROSSED]
    assert [it.points[0][0] for it in crosses] == [2 - five_shots.ARM] * 2
    assert {round(sum(y for _, y in it.points), 9) for it in crosses} == {first.y}
    assert is_text(figure)
    assert first.photo
    assert second.photo
    assert all(it.photo for it in numbers_of(figure))
    assert told(figure) == {name: row.tolist() for name, row in zip(NAMES, rows, strict=True)}
    assert not numbers_of(figure, photos=False)


def test_lines_of_few_pictures_stand_beside_each_other() -> None:
    few, many = (np.zeros((count, 96, 96, 3), np.uint8) for count in (6, 15))
    shapes = [five_shots.pictures(NAMES, [row, row], [2, 2], [[], []]).rows for row in (few, many)]
    assert [[len(line) for line in rows] for rows in shapes] == [[2], [1, 1]]


def test_shares_right_by_shots_are_dots_and_their_means() -> None:
    right = np.array([[4.0, 2.0], [6.0, 6.0]])
    figure = five_shots.by_shots(right, 8, 0.5, 2)
    dots, means = marks(figure, Points)
    np.testing.assert_allclose(means.y, [0.375, 0.75])
    assert len(dots.y) == 4
    assert means.sizes[1] > means.sizes[0]
    assert told(figure) == {"right": right.tolist()}
    assert marks(figure, Line)[0].points[0][1] == 0.5, "chance"


def test_scores_are_bars_of_their_classes() -> None:
    (bars,) = marks(five_shots.scores(NAMES, np.array([1.0, -1.0])), Bars)
    assert bars.values.tolist() == [1, -1]
    assert is_text(five_shots.scores(NAMES, np.array([1.0, -1.0])))


def test_shares_by_steps_stand_beside_the_frozen_models() -> None:
    right = [(0.5, 0.5), (1.0, 0.75)]
    figure = five_shots.by_steps([0, 5], right, True, 0.8)
    shots, held_out, frozen = marks(figure, Line)
    assert [[y for _, y in it.points] for it in (shots, held_out, frozen)] == [[0.5, 1], [0.5, 0.75], [0.8, 0.8]]
    assert [key.text for key in figure.legend] == list(told(figure))
    assert frozen.dash == figure.legend[-1].dash == "dash"
    assert list(told(five_shots.by_steps([0, 5], right, False, None))) == ["shots"]
    assert list(told(five_shots.by_steps([0, 1, 2], [(0, 0)] * 3, True, 0.5))) == list(told(figure))


def test_both_norms_are_drawn_on_one_scale() -> None:
    values = random(2, 2, 50) - 0.5
    figure = norms.pairs(values)
    ((layer, batch),) = figure.rows
    assert (layer.across.low, layer.across.high) == (batch.down.low, batch.down.high)
    np.testing.assert_array_equal(marks(figure, Points)[1].y, values[1, 1])
    assert told(figure) == {"pairs": values.tolist()}
    for photo in (False, True):
        figure = norms.pairs(values, photo)
        assert {it.photo for it in marks(figure, Points)} == {it.photo for it in numbers_of(figure)} == {photo}


def test_batches_are_pictures_with_the_own_one_framed() -> None:
    batches = norms.batches(np.zeros((50, 50, 3), np.uint8), [np.zeros((3, 96, 96, 3), np.uint8)] * 2, "AB")
    assert frames(batches) == [(-0.5, -0.5, 1, 1), (-0.5, 0.5, 1, 1)]
    assert [it.lead for it in marks(batches, Text)] == ["A", "B"]
    assert all(it.photo for it in marks(batches, Picture))
    assert all(it.photo for it in numbers_of(batches))


def test_curves_of_activations_are_their_functions() -> None:
    figure = norms.activations(np.arange(4.0), np.linspace(-2, 2, 5))
    named = {it.name: it.values for it in numbers_of(figure)}
    relu, silu = named["ReLU"], named["SiLU, SwiGLU's gate"]
    np.testing.assert_allclose(relu[:, 1], np.maximum(relu[:, 0], 0))
    np.testing.assert_allclose(silu[:, 1], silu[:, 0] / (1 + np.exp(-silu[:, 0])), atol=1e-6)
    assert named["values"].tolist() == [0, 1, 2, 3]
    assert norms.shown_name("gelu") == "GELU"
    (curves, units) = (row[0] for row in figure.rows)
    assert (curves.across.low, curves.across.high) == (units.across.low, units.across.high)


def test_faint_answers_are_seen_and_their_axis_says_how_faint() -> None:
    faint = panel_of(answers.answers(NAMES, {"a": np.array([0.002, 0.001]), "b": np.array([0.0005, 0.001])})).across
    assert (faint.high < 0.004, [text for _, text in faint.ticks]) == (True, ["0", "0.001", "0.002"])
    usual = panel_of(answers.answers(NAMES, {"a": np.array([0.9, 0.1])})).across
    assert (usual.high > 1, [text for _, text in usual.ticks]) == (True, ["0", "0.5", "1"])


def test_panels_share_a_scale_or_write_their_own() -> None:
    maps = {"<b>dog</b>": random(2, 3), "b": random(4, 6)}
    shared = panels.panels(maps, [1.0, 1.0], "weight", framed={"b": (7,)})
    own = panels.panels(maps, [1.0, 0.5], "weight", patch=2)
    assert (shared.scale, own.scale) == (marks(shared, Heat)[0].colours, None)
    assert [it.title for it in own.rows[0]] == ["<b>dog</b>\n0 to 1.00", "b\n0 to 0.500"]
    assert [it.square for it in own.rows[0]] == [2, 2]
    (frame,) = marks(shared, Area)
    assert frame in shared.rows[0][1].marks
    assert (frame.x, frame.y) == (0.5, 0.5)
    assert told(shared) == {name: values.tolist() for name, values in maps.items()}
    assert marks(shared, Heat)[0].says.words.endswith("weight {value:.3g}")
    assert is_text(own)


def test_what_is_said_of_bars_names_their_answer() -> None:
    says: Says = marks(answers.answers(NAMES, {"at {224}": random(2)}), Bars)[0].says
    assert says.columns["answer"] == "at {224}", "braces in a name are no places"
