"""What the figures of the class head show is what they were given."""

import numpy as np

from vitviz.figures import classes

LABELS = ["cat", "tree", "class 17"]
VALUES = np.array([3.25, 0.5, -1.5], np.float32)


def test_bars_carry_their_numbers_with_the_first_class_on_top() -> None:
    fig = classes.logits(LABELS, VALUES, {"class head": VALUES})
    (bars,) = fig.data
    assert bars.x.tolist() == VALUES.tolist()
    assert list(bars.text) == ["3.25", "0.500", "−1.50"]
    assert list(fig.layout.yaxis.ticktext) == LABELS
    bottom, top = fig.layout.yaxis.range
    assert bottom > top


def test_two_heads_are_marked_and_named_and_within_the_axis() -> None:
    heads = {"class head": VALUES + 4, "distillation head": VALUES - 4}
    fig = classes.logits(LABELS, VALUES, heads)
    assert [marks.name for marks in fig.data[1:]] == list(heads)
    assert len({marks.marker.symbol for marks in fig.data[1:]}) == 2
    low, high = fig.layout.xaxis.range
    assert low < -5.5 < 7.25 < high


def test_probabilities_have_room_for_all_of_1() -> None:
    low, high = classes.probabilities(LABELS, np.array([0.9, 0.1, 0.0], np.float32)).layout.xaxis.range
    assert low == 0
    assert high > 1


def test_the_lens_marks_the_winner_of_every_read_out_that_is_shown() -> None:
    probabilities = np.array([[0.2, 0.5, 0.3], [0.9, 0.05, 0.05], [0.1, 0.1, 0.1]], np.float32)
    fig = classes.lens(probabilities, LABELS, winners=[1, 0, None], after=2)
    heat, dots = fig.data
    np.testing.assert_array_equal(heat.z, probabilities.T)
    assert (heat.zmin, heat.zmax) == (0, 1)
    assert list(zip(dots.x, dots.y, strict=True)) == [(0, 1), (1, 0)]
    assert (fig.layout.shapes[0].x0, fig.layout.shapes[0].x1) == (1.5, 2.5)


def test_names_of_classes_are_drawn_as_text() -> None:
    link, text = '<a href="http://a.b">cat</a> & co', '&lt;a href="http://a.b"&gt;cat&lt;/a&gt; &amp; co'
    values = np.array([0.5], np.float32)
    for fig in (
        classes.logits([link], values, {"one": values, "two": values}),
        classes.probabilities([link], values),
        classes.lens(np.array([[0.5]], np.float32), [link], [0], 0),
    ):
        assert link not in str(fig)
        assert fig.layout.yaxis.ticktext[0] == text
        assert {np.ravel(trace.customdata)[0] for trace in fig.data if trace.customdata is not None} == {text}
