"""The numbers of a figure."""

import numpy as np
import pytest

from vitviz.figures.axes import linear
from vitviz.figures.figure import Figure, Key, Numbers, Panel
from vitviz.figures.marks import Bars, Line, Mark, Points, Spot
from vitviz.figures.numbers import numbers_of

BARS = Bars(np.arange(3), np.array([1.5, 2.0, 0.5]), ("#111111",))
CURVE = Line(((0, 1), (1, 2), (2, 0.5)), "#222222", "curve")
RANGE = Line(((0, 0.5), (0, 1.5)), "#222222", "curve")
POINTS = Points(np.arange(3), np.arange(3), ("#333333",))


def figure(*marks: Mark, numbers: tuple[Numbers, ...] = ()) -> Figure:
    panel = Panel(linear(3), linear(3), marks, 100)
    return Figure(((panel,),), numbers=numbers, legend=(Key("curve", "#222222"),))


def names_of(drawn: Figure) -> list[str]:
    return [it.name for it in numbers_of(drawn)]


def test_they_stand_in_the_order_in_which_marks_are_drawn() -> None:
    assert names_of(figure(BARS, CURVE, POINTS)) == ["values", "curve", "points"]
    assert names_of(figure(CURVE, POINTS, BARS, BARS)) == ["curve", "points", "values", "values 2"]
    assert names_of(figure(Spot(0, 0, "#444444"), CURVE, BARS, Spot(1, 1, "#444444"))) == ["spots", "curve", "values"]


def test_short_lines_of_a_curve_are_its_ranges() -> None:
    curve, ranges = numbers_of(figure(CURVE, RANGE, RANGE))
    assert curve.values.tolist() == [[0, 1], [1, 2], [2, 0.5]]
    assert (ranges.name, ranges.axes) == ("curve ranges", ("line", "end", "coordinate"))
    assert ranges.values.tolist() == [[[0, 0.5], [0, 1.5]]] * 2


def test_beside_what_a_figure_says_stand_its_other_curves_alone() -> None:
    said = Numbers("all", ("bar",), BARS.values)
    assert names_of(figure(BARS, CURVE, RANGE, POINTS, numbers=(said,))) == ["all", "curve"]
    told = Numbers("curve", ("point",), np.zeros(3))
    assert names_of(figure(BARS, CURVE, numbers=(told,))) == ["curve"]


@pytest.mark.parametrize("axes", [("head",), ("head", "head"), ("head", "key", "query")])
def test_axes_and_names_must_fit(axes: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="shape"):
        Numbers("values", axes, np.zeros((2, 3), np.float32))
    with pytest.raises(ValueError, match="2 names for the 3 places of key"):
        Numbers("values", ("head", "key"), np.zeros((2, 3), np.float32), names={"key": ["a", "b"]})
