"""What the figures of the class head show is what they were given."""

import numpy as np

from tests.unit.figures.read import marks, panel
from vitviz.figures.marks import Area, Bars, Colours, Heat, Points
from vitviz.figures.model import classes
from vitviz.figures.numbers import numbers_of
from vitviz.figures.plotly import spec

LABELS = ["cat", "tree", "class 17"]
VALUES = np.array([3.25, 0.5, -1.5], np.float32)


def test_bars_carry_their_numbers_with_the_first_class_on_top() -> None:
    fig = classes.logits(LABELS, VALUES, {"class head": VALUES})
    (bars,), down = marks(fig, Bars), panel(fig).down
    assert bars.values.tolist() == VALUES.tolist()
    assert bars.texts == ["3.25", "0.500", "−1.50"]
    assert [text for _, text in down.ticks] == LABELS
    assert down.low > down.high
    (shown,) = numbers_of(fig)
    assert (shown.name, shown.axes, shown.names) == ("values", ("bar",), {"bar": LABELS})


def test_two_heads_are_marked_and_named_and_within_the_axis() -> None:
    heads = {"class head": VALUES + 4, "distillation head": VALUES - 4}
    fig = classes.logits(LABELS, VALUES, heads)
    across = panel(fig).across
    assert [key.text for key in fig.legend] == list(heads)
    assert [key.shape for key in fig.legend] == [it.shape for it in marks(fig, Points)] == ["circle", "diamond"]
    assert not marks(fig, Bars)[0].texts
    assert across.low < -5.5 < 7.25 < across.high
    shown = {it.name: it.values for it in numbers_of(fig)}
    assert list(shown) == ["values", *heads]
    np.testing.assert_array_equal(shown["class head"], np.stack([heads["class head"], [0, 1, 2]], axis=1))


def test_probabilities_have_room_for_all_of_1() -> None:
    across = panel(classes.probabilities(LABELS, np.array([0.9, 0.1, 0.0], np.float32))).across
    assert across.low == 0
    assert across.high > 1


def test_the_lens_marks_the_winner_of_every_read_out_that_is_shown() -> None:
    probabilities = np.array([[0.2, 0.5, 0.3], [0.9, 0.05, 0.05], [0.1, 0.1, 0.1]], np.float32)
    fig = classes.lens(probabilities, LABELS, winners=[1, 0, None], after=2)
    (heat,), (frame,), (dots,) = marks(fig, Heat), marks(fig, Area), marks(fig, Points)
    np.testing.assert_array_equal(heat.values, probabilities.T)
    assert heat.colours == fig.scale == Colours(1)
    assert list(zip(dots.x, dots.y, strict=True)) == [(0, 1), (1, 0)]
    assert dots.colours == ["#ffffff", "#111111"]
    assert (frame.x, frame.width, frame.height) == (1.5, 1, 3)
    values, points = numbers_of(fig)
    assert (values.axes, points.name) == (("row", "after layer (0: the embedding)"), "points")


def test_a_lens_without_a_winner_that_is_shown_has_no_dots() -> None:
    (dots,) = marks(classes.lens(np.array([[0.5]], np.float32), ["cat"], [None], 0), Points)
    assert not len(dots.x)


def test_names_of_classes_are_drawn_as_text() -> None:
    link, text = '<a href="http://a.b">cat</a> & {co}', '&lt;a href="http://a.b"&gt;cat&lt;/a&gt; &amp; {co}'
    values = np.array([0.5], np.float32)
    for fig in (
        classes.logits([link], values, {"one": values, "two": values}),
        classes.probabilities([link], values),
        classes.lens(np.array([[0.5]], np.float32), [link], [0], 0),
    ):
        made = spec(fig)
        assert link not in str(made)
        assert made["layout"]["yaxis"]["ticktext"] == [text]
        said = [np.ravel(np.array(it["customdata"], object))[0] for it in made["data"] if "customdata" in it]
        assert set(said) == {text}
