"""What the figures of *Why this answer* show is what they were given."""

import numpy as np

from tests.unit.figures.read import marks, panel
from vitviz.figures.marks import Heat, Points
from vitviz.figures.model import why

DRAW = np.random.default_rng(4)


def test_shares_have_a_row_for_each_layer_and_a_column_for_each_part() -> None:
    values = DRAW.normal(size=(3, 4)).astype(np.float32)
    fig = why.shares(values, ["head 1", "head 2", "MLP", "biases"])
    (heat,) = marks(fig, Heat)
    np.testing.assert_array_equal(heat.values, values)
    assert [text for _, text in panel(fig).down.ticks] == ["layer 1", "layer 2", "layer 3"]
    assert heat.colours.signed
    assert heat.colours.limit == np.abs(values).max()


def test_a_map_lies_on_its_grid_around_0_only_where_it_has_a_sign() -> None:
    values = DRAW.normal(size=6).astype(np.float32)
    (signed,) = marks(why.owed(values, (2, 3), 1, signed=True), Heat)
    np.testing.assert_array_equal(signed.values.ravel(), values)
    assert (signed.values.shape, signed.colours.signed) == ((2, 3), True)
    (flat,) = marks(why.owed(np.zeros(6, np.float32), (2, 3), 1, signed=False), Heat)
    assert (flat.colours.limit, flat.colours.signed) == (1, False)


def test_curves_go_through_their_points_and_leave_out_what_is_none() -> None:
    curves = {"removed": np.array([0.9, 0.5, 0.1], np.float32), "kept": np.array([0.1, np.nan, 0.9], np.float32)}
    fig = why.on_trial([0, 2, 4], curves, "probability", 4)
    first, second = marks(fig, Points)
    np.testing.assert_allclose(first.y, curves["removed"])
    assert list(second.x) == [0, 2]
    assert [text for _, text in panel(fig).across.ticks] == ["0", "2", "4"]
    assert [key.text for key in fig.legend] == ["removed", "kept"]


def test_likeness_may_fall_below_0_and_stays_on_its_axis() -> None:
    fig = why.alike({"sum": np.array([1, -0.4], np.float32)}, ["as it is", "head"])
    assert panel(fig).down.low <= -0.4 < 1 <= panel(fig).down.high
