"""Attention as pictures: the numbers that were measured stand where they belong, on the scale that is written."""

from math import log

import numpy as np
import pytest

from tests.unit.figures.read import areas, column, marks, panel, panels, spots
from vitviz import palette
from vitviz.figures import axes
from vitviz.figures.attention import depth, maps, steps
from vitviz.figures.marks import Area, Bars, Colours, Heat, Line, Picture, Points, Text
from vitviz.figures.numbers import numbers_of
from vitviz.figures.plotly import spec
from vitviz.numbers import small

RANDOM = np.random.default_rng(0)
PIXELS = RANDOM.integers(0, 256, (24, 32, 3), dtype=np.uint8)


def box(area: Area) -> tuple[float, float, float, float]:
    """Left, right, top, bottom."""
    return area.x, area.x + area.width, area.y, area.y + area.height


def test_an_overlay_lies_on_exactly_the_crop() -> None:
    weights = RANDOM.random((3, 4), dtype=np.float32)
    fig = maps.overlay(PIXELS, weights, limit=0.5, query=(2, 1))
    (below,), (above,), (frame,) = marks(fig, Picture), marks(fig, Heat), marks(fig, Area)
    assert (below.x, below.y, below.rows, below.columns) == (above.x, above.y, 3, 4) == (0, 0, 3, 4)
    assert below.photo
    np.testing.assert_array_equal(above.values, weights)
    assert above.colours == fig.scale == Colours(0.5)
    assert above.opacity < 1
    assert box(frame) == (0.5, 1.5, 1.5, 2.5)
    assert [(it.name, it.photo) for it in numbers_of(fig)] == [("pixels", True), ("values", False)]


def test_a_crop_is_somebody_s_picture() -> None:
    fig = maps.crop(PIXELS, (3, 4), (2, 1))
    assert marks(fig, Picture)[0].photo
    assert box(marks(fig, Area)[0]) == (0.5, 1.5, 1.5, 2.5)
    assert not numbers_of(fig, photos=False)


def test_the_scale_writes_its_ends() -> None:
    fig = maps.overlay(PIXELS, RANDOM.random((3, 4)), limit=0.0314, query=None)
    (scaled,) = (it for it in spec(fig)["data"] if it.get("showscale"))
    assert scaled["colorbar"]["ticktext"] == ["0", "0.031"]
    assert not marks(fig, Area)


def test_grey_keeps_brightness_and_loses_colour() -> None:
    colours = np.array([[[255, 255, 255], [0, 0, 0], [255, 0, 0], [0, 255, 0]]], dtype=np.uint8)
    assert maps.grey(colours)[0, :, 0].tolist() == [255, 0, 76, 150]
    assert (maps.grey(PIXELS) == maps.grey(PIXELS)[..., :1]).all()


@pytest.mark.parametrize(("many", "times"), [(1, 4), (3, 4), (4, 4), (12, 4), (5, 1)])
def test_every_panel_of_a_wall_is_its_map(many: int, times: int) -> None:
    rows, columns = 12 // times, 16 // times
    values = RANDOM.random((many, rows, columns), dtype=np.float32)
    fig = maps.wall(values, "head", limit=1.0, chosen=many - 1, query=(0, columns - 1))
    heats, texts = marks(fig, Heat), marks(fig, Text)
    for at, (heat, text) in enumerate(zip(heats, texts, strict=True)):
        np.testing.assert_array_equal(heat.values, values[at])
        assert (text.x, text.y) == (heat.x - 0.5, heat.y - 0.5)
        assert (heat.across, heat.down) == (1, 1)
        place = {name: column(heat, name)[2, 1] for name in heat.says.columns}
        assert place == {"patch": 2 * columns + 2, "row": 3, "column": 2}
        assert f"head {at + 1}\n" in heat.says.words
    assert not {(it.x, it.y) for it in heats[1:]} & {(heats[0].x, heats[0].y)}
    assert [text.lead for text in texts] == [*[""] * (many - 1), f"head {many}"]
    left, top = heats[-1].x - 0.5, heats[-1].y - 0.5
    query, chosen = marks(fig, Area)[-2:]
    assert box(chosen) == pytest.approx((left, left + columns, top, top + rows))
    assert box(query) == pytest.approx((left + columns - 1, left + columns, top, top + 1))
    ((shown,), across, down) = fig.numbers, panel(fig).across, panel(fig).down
    assert (shown.name, shown.axes) == ("maps", ("head", "row", "column"))
    np.testing.assert_array_equal(shown.values, values)
    assert all(across.low <= it.x - 0.5 and it.x + columns - 0.5 <= across.high + 1e-9 for it in heats)
    assert all(down.high <= it.y - 0.5 and it.y + rows - 0.5 <= down.low + 1e-9 for it in heats)


def test_a_wall_says_which_heads_are_off_and_need_not_have_a_chosen_one() -> None:
    fig = maps.wall(np.ones((2, 2, 2)), "head", limit=1.0, chosen=None, off=(1,))
    assert [(text.lead, text.text) for text in marks(fig, Text)] == [("", "head 1"), ("", "head 2: off")]
    assert not marks(fig, Area)


def test_a_matrix_has_a_row_per_query_and_closes_prefix_tokens_off() -> None:
    weights = RANDOM.random((6, 6), dtype=np.float32)
    names = ["[class]", "[distillation]", "patch 1", "patch 2", "patch 3", "patch 4"]
    fig = maps.matrix(weights, names, ("class", "distillation"), query=3)
    (shown,) = marks(fig, Heat)
    np.testing.assert_array_equal(shown.values, weights)
    assert fig.numbers[0].names == {"query token": names, "key token": names}
    assert shown.called == shown.columns == names
    assert "query: {y}" in shown.says.words
    (trace,) = spec(fig)["data"]  # no line is one: it would be one more token
    assert trace["x"] == trace["y"] == names
    across, down = marks(fig, Line)
    assert (across.points, down.points) == (((-0.5, 1.5), (5.5, 1.5)), ((1.5, -0.5), (1.5, 5.5)))
    assert across.colour == palette.CLASS_TOKEN
    assert [box(area) for area in marks(fig, Area)] == [(-0.5, 5.5, 2.5, 3.5), (2.5, 3.5, -0.5, 5.5)]
    assert panel(fig).across.ticks == ((0, "class"), (2, "1"), (3, "2"), (4, "3"), (5, "4"))


def test_ticks_point_at_the_patches_they_name() -> None:
    assert axes.tokens(197, ("class",)).ticks == ((0, "class"), (50, "50"), (100, "100"), (150, "150"))
    assert [place for place, _ in axes.tokens(4, ()).ticks] == [0, 1, 2, 3]
    assert len(axes.tokens(100_000, ()).ticks) < 10


def test_a_dot_product_is_shown_term_by_term_in_the_colours_of_its_roles() -> None:
    q, k = RANDOM.standard_normal((2, 8))
    fig = steps.dot_product(q, k, "patch 3")
    above, middle, below = marks(fig, Bars)
    np.testing.assert_array_equal(above.values, q)
    np.testing.assert_array_equal(middle.values, k)
    np.testing.assert_allclose(below.values, q * k)
    assert (above.colours, middle.colours) == ((palette.QUERY,), (palette.KEY,))
    np.testing.assert_array_equal(column(below, "q"), q)
    ends = [it.down.high for it in panels(fig)]
    assert ends[0] == ends[1] != ends[2]
    assert ends[0] >= np.abs([q, k]).max()
    assert [(it.name, it.axes) for it in fig.numbers] == [
        (name, ("component",)) for name in ("q of the query", "k of patch 3", "q · k, term by term")
    ]


def test_scores_and_weights_share_the_tokens_and_frame_one_key() -> None:
    scores = RANDOM.standard_normal(5)
    weights = np.exp(scores) / np.exp(scores).sum()
    fig = steps.scores_and_weights(scores, weights, ["[class]", *"1234"], ("class",), key=2)
    above, below = marks(fig, Bars)
    np.testing.assert_array_equal(above.values, scores)
    np.testing.assert_array_equal(below.values, weights)
    assert above.colours[0] == palette.CLASS_TOKEN
    assert set(above.colours[1:]) == {palette.KEY}
    for frame, it in zip(marks(fig, Area), panels(fig), strict=True):
        assert box(frame) == pytest.approx((1.5, 2.5, it.down.low, it.down.high))
        assert it.down.low <= 0 < it.down.high
    (uniform,) = marks(fig, Line)
    assert uniform.points == ((-0.5, 0.2), (4.5, 0.2))
    assert uniform in panels(fig)[1].marks
    assert [(it.name, it.axes) for it in fig.numbers] == [("scores", ("key",)), ("weights", ("key",))]


def test_weighted_values_have_one_scale_and_their_totals_another() -> None:
    parts = RANDOM.standard_normal((2, 8))
    fig = steps.weighted_values([("a", parts[0]), ("b", parts[1])], [("sum", 9 * parts.sum(axis=0))])
    assert [it.title for it in panels(fig)] == [it.name for it in fig.numbers] == ["a", "b", "sum"]
    ends = [it.down.high for it in panels(fig)]
    assert ends[0] == ends[1] == pytest.approx(1.1 * np.abs(parts).max())
    assert ends[2] == pytest.approx(9.9 * np.abs(parts.sum(axis=0)).max())
    assert {bars.colours for bars in marks(fig, Bars)} == {(palette.VALUE,)}
    assert len(fig.rows) == 3
    assert [bool(it.across.ticks) for it in panels(fig)] == [False, False, True]


def test_each_head_is_a_dot_in_its_layer() -> None:
    values = RANDOM.random((3, 4))
    fig = depth.distance(values, uniform=0.9, patch_size=16)
    (dots,), (uniform, means) = marks(fig, Points), marks(fig, Line)
    np.testing.assert_array_equal(dots.y, values.ravel())
    np.testing.assert_array_equal(np.round(dots.x), np.repeat([1, 2, 3], 4))
    np.testing.assert_allclose(column(dots, "converted"), 16 * values.ravel())
    np.testing.assert_allclose(np.array(means.points)[:, 1], values.mean(axis=1))
    assert {y for _, y in uniform.points} == {0.9}
    right = panel(fig).right
    assert right
    assert right.high == 16 * panel(fig).down.high
    assert [(it.name, it.axes) for it in numbers_of(fig)] == [("distance", ("layer", "head"))]


def test_entropy_is_said_as_tokens_too() -> None:
    fig = depth.entropy(np.array([[log(5), 0.0]]), uniform=log(17))
    np.testing.assert_allclose(column(marks(fig, Points)[0], "converted"), [5, 1])
    assert fig.title == "dashed: uniform, 2.83 nats"


def test_a_kernel_lies_beside_one_of_equal_weights_on_one_scale() -> None:
    kernel = RANDOM.random((5, 5)) / 25
    fig = maps.beside_a_convolution(kernel, "head 1")
    own, equal = marks(fig, Heat)
    np.testing.assert_array_equal(own.values, kernel)
    assert equal.values.sum() == pytest.approx(1)
    assert own.colours == equal.colours == fig.scale == Colours(1 / 9)
    assert (column(own, "down")[0, 0], column(own, "across")[0, 4]) == (-2, 2)
    assert [box(area) for area in marks(fig, Area)] == [(0.5, 3.5, 0.5, 3.5), (6.5, 9.5, 0.5, 3.5)]
    assert [text.text for text in marks(fig, Text)] == ["head 1", "a 3 × 3 kernel"]
    assert [(it.name, it.axes) for it in fig.numbers] == [
        (name, ("down", "across")) for name in ("kernel", "3 x 3 kernel")
    ]


def test_a_single_patch_still_makes_a_picture() -> None:
    assert panel(depth.distance(np.zeros((1, 1)), uniform=0.0, patch_size=24)).down.high == 1
    assert marks(maps.wall(np.ones((1, 1, 1)), "head", 1.0, 0, (0, 0)), Heat)[0].values.shape == (1, 1)
    assert axes.tokens(2, ("class",)).ticks == ((0, "class"), (1, "1"))
    for fig in (
        steps.scores_and_weights(np.zeros(1), np.ones(1), ["patch 1"], (), 0),
        steps.dot_product(np.zeros(1), np.zeros(1), "patch 1"),
    ):
        assert spec(fig)["data"]


def test_every_head_is_a_point_that_says_its_numbers_and_leads_to_it() -> None:
    distances, entropies = RANDOM.random((3, 2)), RANDOM.random((3, 2))
    fig = depth.distance_against_entropy(
        distances, entropies, (2.0, 3.0), (2, 0), lambda layer, head: f"{layer}.{head}"
    )
    points, (ring,) = ([it for it in spots(fig) if it.shape == shape] for shape in ("circle", "ring"))
    assert [(it.x, it.y) for it in points] == list(zip(distances.ravel(), entropies.ravel(), strict=True))
    assert (ring.x, ring.y, ring.colour) == (distances[2, 0], entropies[2, 0], palette.FRAME)
    assert points[5].says == f"layer 3, head 2: {small(distances[2, 1])} patches, {small(entropies[2, 1])} nats"
    leads = {area.row: area.leads for area in areas(fig)}
    assert [leads[it.row] for it in points] == ["0.0", "0.1", "1.0", "1.1", "2.0", "2.1"]
    assert {it.name: it.axes for it in fig.numbers} == {"distance": ("layer", "head"), "entropy": ("layer", "head")}
    assert panel(fig).across.high >= 2
    assert panel(fig).down.high >= 3
