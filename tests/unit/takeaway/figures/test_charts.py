"""Charts for print: areas to scale, curves as the app bends them, words as text, the numbers behind them."""

from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from vitviz import palette
from vitviz.figures.axes import hidden
from vitviz.figures.counting import counts, growth, models, shelf
from vitviz.figures.figure import Handle, Plane, Stop
from vitviz.figures.marks import Area, Line
from vitviz.figures.parts import chart as one_panel
from vitviz.figures.printed import marks
from vitviz.figures.printed.captioned import sheet_of
from vitviz.figures.printed.layout import bent
from vitviz.figures.printed.marks import Box, Dot, Words
from vitviz.figures.printed.png import png
from vitviz.figures.printed.svg import svg
from vitviz.takeaway.data import named_numbers

COLUMNS = [("embedding", {"patch embedding": 400}), ("block 1", {"attention": 300, "MLP": 900}), ("head", {"head": 80})]


def test_areas_are_as_large_as_their_numbers() -> None:
    sheet = sheet_of(counts.mosaic(COLUMNS, 20), "A model.")
    drawn = [mark for mark in sheet.marks if isinstance(mark, Box) and not mark.frame and mark.height > 14.5]
    sizes = {it.colour: it.width * it.height for it in reversed(drawn)}  # of the first: under words lies another
    unit = sizes[palette.STAGES["MLP"]] / 900
    assert sizes[palette.STAGES["attention"]] == pytest.approx(300 * unit)
    assert sizes[palette.STAGES["patch embedding"]] == pytest.approx(400 * unit)
    written = [mark.text for mark in sheet.marks if isinstance(mark, Words)]
    assert {"MLP", "53.6 %", "patch embedding 23.8 %"} <= set(written)


def test_a_curve_goes_through_its_points_and_never_beyond_them() -> None:
    points = [(0.0, 0.0), (1.0, 1.0), (2.0, 1.0), (3.0, 5.0)]
    curve = bent(points)
    assert [curve[at] for at in range(0, len(curve), 12)] == [pytest.approx(point) for point in points]
    ys = [y for _, y in curve]
    assert ys == sorted(ys)
    assert all(y == pytest.approx(1.0) for x, y in curve if 1 <= x <= 2)


def test_a_line_ends_at_the_sides_of_its_plot() -> None:
    chart = one_panel(hidden(0, 1), hidden(0, 1), 200, lines=(Line(((-1, -1), (2, 2)), "#123456", smooth=False),))
    (line,) = [mark for mark in sheet_of(chart, "").marks if isinstance(mark, marks.Polyline)]
    assert line.points == (pytest.approx((27, 24 + 200 - 3)), pytest.approx((960 - 24 - 14, 24 + 10)))


def test_a_curve_without_points_is_an_empty_array() -> None:
    chart = one_panel(hidden(0, 1), hidden(0, 1), 200, lines=(Line((), "#123456", row="nothing yet"),))
    (given,) = named_numbers(chart)
    assert (given.name, given.values.shape, given.axes) == ("nothing yet", (0, 2), ("point", "coordinate"))
    assert sheet_of(chart, "").marks


def test_what_is_chosen_is_seen() -> None:
    handle = Handle("n", "tokens", (Stop("1", 1, 1, "one"), Stop("2", 2, 2, "two: 4")), 1)
    curve: growth.Curve = ("all", [1.0, 4.0], palette.MLP, "solid")
    drawn = growth.curves([1, 2], [curve], handle, "tokens", unit="MAC", log=False, now=(1, 1), marks=[(1.5, "half")])
    sheet = sheet_of(drawn, "Growth.")
    diamond = next(mark for mark in sheet.marks if isinstance(mark, Dot) and mark.shape == "diamond")
    assert diamond.colour == palette.FRAME
    written = [mark.text for mark in sheet.marks if isinstance(mark, Words)]
    assert {"two: 4", "half", "tokens", "MAC", "all", "○ the model on screen"} <= set(written)
    plane = models.plane(
        [(4, 2.0), (8, 1.0)], [], [], (1, 4), Plane("there", ("dim", "depth"), (4, 8), (1, 2), (8, 1)), handle
    )
    ring = next(mark for mark in sheet_of(plane, "Plane.").marks if isinstance(mark, Dot) and mark.hollow)
    assert ring.size > 20


def test_stripes_stay_in_their_bars() -> None:
    sheet = sheet_of(counts.counted_and_measured([("MLP", 0.5, 0.25), ("head", 0.5, 0.75)]), "Speed.")
    striped = [mark for mark in sheet.marks if isinstance(mark, Box) and mark.colour == palette.RESIDUAL]
    lines = [mark for mark in sheet.marks if isinstance(mark, marks.Polyline) and mark.opacity < 1]
    assert lines
    for line in lines:
        assert any(
            all(
                it.x - 1e-6 <= x <= it.x + it.width + 1e-6 and it.y - 1e-6 <= y <= it.y + it.height + 1e-6
                for x, y in line.points
            )
            for it in striped
        )


def test_the_same_bytes_and_words_that_stay_words() -> None:
    chart = counts.sizes([('</text><script>"&', "t d", 400), ("k", "t d", 100)])
    assert png(sheet_of(chart, "Sizes.")) == png(sheet_of(chart, "Sizes."))
    text = svg(sheet_of(chart, "</title><script>"))
    assert "script" not in {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(text).iter()}
    white = np.asarray(Image.open(BytesIO(png(sheet_of(chart, "Sizes.")))))
    assert (white[:, :16] == 255).all()
    assert (white[:, -16:] == 255).all()


def test_numbers_are_given_as_the_page_says_them() -> None:
    (sizes,) = named_numbers(counts.sizes([("q", "t d", 400), ("k", "t d", 100)], rows=["row 1", "row 2"]))
    assert (sizes.name, sizes.axes, sizes.names) == ("bytes", ("part",), {"part": ["q", "k"]})
    assert sizes.values.tolist() == [400, 100]
    (whole,) = named_numbers(counts.mosaic(COLUMNS, 20))
    assert dict(zip(whole.names["part"], whole.values.tolist(), strict=True)) == {
        "patch embedding in embedding": 400,
        "attention in block 1": 300,
        "MLP in block 1": 900,
        "head in head": 80,
    }
    one: shelf.Sibling = ("a", "The first", {"things": (0.5, 0.25, 0.75)}, 0.875, "says", "")
    given = {it.name: (it.names["part"], it.values.tolist()) for it in named_numbers(shelf.rows([one], "a"))}
    assert given == {
        "accuracy of things, mean": (["The first"], [0.5]),
        "accuracy of things, least": (["The first"], [0.25]),
        "accuracy of things, most": (["The first"], [0.75]),
        "the paper's, ImageNet 5-shot": (["The first"], [0.875]),
    }
    handle = Handle("n", "tokens", (Stop("1", 1, 1, "one"),), 0)
    curve: growth.Curve = ("all", [1.0, 4.0, 9.0], palette.MLP, "solid")
    grown = growth.curves([1, 2, 3], [curve], handle, "tokens", unit="MAC", log=False, now=(2, 4))
    assert {it.name: it.values.tolist() for it in named_numbers(grown)} == {
        "tokens": [2],
        "MAC": [4],
        "all": [[1, 1], [2, 4], [3, 9]],
    }


def test_numbers_are_those_of_the_chart() -> None:
    whole = one_panel(
        hidden(0, 9), hidden(0, 1), 100, areas=(Area(0, 0, 86_567_656, 1, "#123456", "MLP", "MLP: many"),)
    )
    (areas,) = named_numbers(whole)
    assert areas.values.dtype == np.int64
    assert areas.values.tolist() == [[0, 0, 86_567_656, 1]]
    assert areas.names == {"area": ["MLP: many"], "side": ("x", "y", "width", "height")}
