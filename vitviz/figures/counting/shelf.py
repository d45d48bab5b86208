"""Charts of what the shelf's siblings reached: a row for each, curves over learning rates, data and steps."""

from collections.abc import Sequence

from vitviz import palette
from vitviz.figures.axes import hidden, linear
from vitviz.figures.figure import Axis, Figure, Key
from vitviz.figures.marks import Area, Dash, Line, Rule, Spot, Text
from vitviz.figures.parts import Amount, Span, chart, of_span, spanned

ROW = 31  # pixels
EDGE = 0.02  # beyond an accuracy of 1, for half of a mark
HEAD = 0.8  # of a row, for the word at the rule
LETTER = 7.9  # pixels, about
MARGIN = 4
MOST_LOSS = 4.0  # a guess among 16 classes has 2.77
PAPER = "the paper's, ImageNet 5-shot"
CHANCE = 0.25  # of a relation, among four
COLOURS = {"things": palette.PATCH, "relations": palette.POSITION, "all": palette.ATTENTION}
Sibling = tuple[str, str, dict[str, Span], float | None, str, str]


def rows(trained: Sequence[Sibling], here: str) -> Figure:
    """A row for each sibling, (id, name, accuracies, the published one, what is said, where a click leads to).

    The row of the model on screen, whose id is `here`, is framed. A line goes from the least to the most over seeds.
    """
    areas, lines, spots, amounts, papers = [], [], [], [], []
    for at, (row, name, accuracies, published, says, leads) in enumerate(trained):
        areas.append(Area(-1, at, 2 + EDGE, 1, "transparent", row, says, leads=leads))  # with the name before it
        if row == here:
            areas.append(Area(0, at, 1 + EDGE, 1, "none", row, framed=True))
        for place, (measure, (mean, least, most)) in enumerate(accuracies.items()):
            y, colour = at + (place + 1) / (len(accuracies) + 1), COLOURS[measure]
            lines.append(Line(((least, y), (most, y)), colour, row, says, width=6, smooth=False))
            spots.append(Spot(mean, y, colour, row=row, says=says))
            amounts += of_span(name, f"accuracy of {measure}", (mean, least, most))
        if published is not None:
            spots.append(Spot(published, at + 0.5, palette.RESIDUAL, "ring", row=row, says=says))
            papers.append(Amount(name, PAPER, published))
    paper = [Key(f"○ {PAPER}", "transparent")] if papers else []
    return chart(
        Axis(0, 1 + EDGE, "accuracy in the dark", linear(1, "", 4).ticks),
        hidden(len(trained), -HEAD),
        round(ROW * (len(trained) + HEAD)) + 64,
        areas=areas,
        lines=lines,
        rules=(Rule(CHANCE, "chance, of relations"),),
        texts=[Text(0, at + 0.5, name, "end", "middle", row) for at, (row, name, *_) in enumerate(trained)],
        spots=spots,
        legend=(*(Key(name, COLOURS[name]) for name in trained[0][2]), *paper),
        left=round(LETTER * max(len(name) for _, name, *_ in trained)) + 14,
        says="A row that is pointed at says its numbers.",
        amounts=[*amounts, *papers],
    )


def curves(
    named: Sequence[tuple[str, str, Sequence[tuple[float, Span]]]],
    axis: str,
    ticks: Sequence[tuple[float, str]],
    low: float,
) -> Figure:
    """Accuracies from `low` to 1 over a logarithmic axis: (name, colour, places with mean, least and most)."""
    called = dict(ticks)
    return chart(
        Axis(min(called) / 1.25, max(called) * 1.25, axis, tuple(ticks), log=True),
        Axis(low, 1.01, "accuracy", tuple((at, f"{at:g}") for at in tenths(low))),
        360,
        **spanned(
            [(name, colour, [(x, f"{axis} {called[x]}", it) for x, it in points]) for name, colour, points in named],
            "accuracy",
            lambda mean, least, most: f"{mean:.3f}, from {least:.3f} to {most:.3f}",
        ),
        says="A curve that is pointed at says its numbers.",
    )


def published(named: Sequence[tuple[str, str, Dash, Sequence[float]]], sets: Sequence[tuple[float, str]]) -> Figure:
    """Published accuracies in percent, (name, colour, dash, one for each set), over the pictures of pre-training."""
    every = [value for *_, values in named for value in values]
    low, high = 5 * int(min(every) // 5), 5 * int(max(every) // 5 + 1)
    lines, spots, amounts, measure = [], [], [], "top-1 accuracy, %"
    for name, colour, dash, values in named:
        points = tuple((x, value) for (x, _), value in zip(sets, values, strict=True))
        lines.append(Line(points, colour, name, dash=dash, smooth=False))
        for (x, value), (_, of) in zip(points, sets, strict=True):
            spots.append(Spot(x, value, colour, row=name, says=f"{name}, {of}: {value:.2f} %"))
            amounts.append(Amount(f"{name}, {of}", measure, value))
    return chart(
        Axis(min(sets)[0] / 1.6, max(sets)[0] * 1.6, "pictures of pre-training", tuple(sets), log=True),
        Axis(float(low), float(high), measure, tuple((float(at), str(at)) for at in range(low, high + 1, 5))),
        330,
        lines=lines,
        spots=spots,
        legend=tuple(Key(name, colour, name, dash) for name, colour, dash, _ in named),
        says="A point says its number.",
        amounts=amounts,
    )


def losses(named: Sequence[tuple[str, str, Sequence[float]]], every: int, axis: str = "loss of the class") -> Figure:
    """Loss over steps, (name, colour, one value in `every` steps), each with the `BESIDE` values before it averaged."""
    steps, top = max(len(values) for *_, values in named) * every, max(max(values) for *_, values in named)
    lines = []
    for name, colour, values in named:
        points = tuple(((at + 1) * every, value) for at, value in enumerate(smooth(values)))
        says = f"{name}: {points[-1][1]:.2f} at step {points[-1][0]}"
        lines.append(Line(points, colour, name, says, width=3, smooth=False))
    return chart(
        linear(steps, "step"),
        linear(1.02 * min(top, MOST_LOSS), axis),
        ROW * 9 + 64,
        lines=lines,
        legend=tuple(Key(name, colour, name, "solid") for name, colour, _ in named),
        says="A curve that is pointed at says its numbers.",
    )


def schedule(rates: Sequence[float]) -> Figure:
    """The learning rate of every step, as a share of its full height."""
    points, says = tuple(enumerate(rates, start=1)), f"learning rate: {rates[-1]:.2f} at the end"
    return chart(
        linear(len(rates), "step"),
        linear(1.02, "share of the full rate"),
        220,
        lines=(Line(points, palette.KEY, "learning rate", says, smooth=False),),
        says="A curve that is pointed at says its number.",
    )


def smooth(values: Sequence[float]) -> list[float]:
    """Each value averaged with up to `BESIDE` before it."""
    windows = [values[max(0, at - MARGIN) : at + 1] for at in range(len(values))]
    return [sum(window) / len(window) for window in windows]


def tenths(low: float) -> list[float]:
    """0.3, 0.4, ... 1."""
    return [at / 10 for at in range(round(10 * low), 11)]
