"""Charts of what the shelf's siblings reached: a row for each, curves over learning rates, data and steps."""

from collections.abc import Sequence

from vitviz import palette
from vitviz.figures.axes import hidden, linear
from vitviz.figures.figure import Axis, Figure, Key
from vitviz.figures.marks import Area, Dash, Line, Rule, Spot, Text
from vitviz.figures.parts import Amount, chart

ROW = 31  # pixels
EDGE = 0.02  # beyond an accuracy of 1, for half of a mark
HEAD = 0.8  # of a row, for the word at the rule
LETTER = 7.9  # pixels, about
BESIDE = 4
MOST_LOSS = 4.0  # a guess among 16 classes has 2.77
CHANCE = 0.25  # of a relation, among four
COLOURS = {"things": palette.PATCH, "relations": palette.POSITION, "all": palette.ATTENTION}
Sibling = tuple[str, str, dict[str, "Span"], float | None, str, str]
Span = tuple[float, float, float]  # mean, least, most


def rows(siblings: Sequence[Sibling], here: str) -> Figure:
    """A row for each sibling, (id, name, accuracies, the published one, what is said, where a click leads to).

    The row of the model on screen, whose id is `here`, is framed. A line goes from the least to the most over seeds.
    """
    areas, lines, spots = [], [], []
    for at, (row, _, accuracies, published, says, leads) in enumerate(siblings):
        areas.append(Area(-1, at, 2 + EDGE, 1, "transparent", row, says, leads=leads))  # with the name before it
        if row == here:
            areas.append(Area(0, at, 1 + EDGE, 1, "none", row, framed=True))
        for place, (measure, (mean, least, most)) in enumerate(accuracies.items()):
            y, colour = at + (place + 1) / (len(accuracies) + 1), COLOURS[measure]
            lines.append(Line(((least, y), (most, y)), colour, row, says, width=6, smooth=False))
            spots.append(Spot(mean, y, colour, row=row, says=says))
        if published is not None:
            spots.append(Spot(published, at + 0.5, palette.RESIDUAL, "ring", row=row, says=says))
    paper = [Key("○ the paper's, ImageNet 5-shot", "transparent")] if any(it[3] is not None for it in siblings) else []
    return chart(
        Axis(0, 1 + EDGE, "accuracy in the dark", linear(1, "", 4).ticks),
        hidden(len(siblings), -HEAD),
        round(ROW * (len(siblings) + HEAD)) + 64,
        areas=tuple(areas),
        lines=tuple(lines),
        rules=(Rule(CHANCE, "chance, of relations"),),
        texts=tuple(Text(0, at + 0.5, name, "end", "middle", row) for at, (row, name, *_) in enumerate(siblings)),
        spots=tuple(spots),
        legend=(*(Key(name, COLOURS[name]) for name in siblings[0][2]), *paper),
        left=round(LETTER * max(len(name) for _, name, *_ in siblings)) + 14,
        says="A row that is pointed at says its numbers.",
        amounts=(
            *(
                amount
                for _, name, accuracies, *_ in siblings
                for measure, span in accuracies.items()
                for amount in _amounts(name, f"accuracy of {measure}", span)
            ),
            *(Amount(it[1], "the paper's, ImageNet 5-shot", it[3]) for it in siblings if it[3] is not None),
        ),
    )


def curves(
    named: Sequence[tuple[str, str, Sequence[tuple[float, Span]]]],
    axis: str,
    ticks: Sequence[tuple[float, str]],
    low: float,
) -> Figure:
    """Accuracies from `low` to 1 over a logarithmic axis: (name, colour, places with mean, least and most)."""
    lines, spots = [], []
    for name, colour, points in named:
        lines.append(Line(tuple((x, mean) for x, (mean, *_) in points), colour, name, smooth=False))
        for x, (mean, least, most) in points:
            says = f"{name}, {axis} {dict(ticks)[x]}: {mean:.3f}, from {least:.3f} to {most:.3f}"
            lines.append(Line(((x, least), (x, most)), colour, name, says, width=6, smooth=False))
            spots.append(Spot(x, mean, colour, row=name, says=says))
    places = [place for place, _ in ticks]
    return chart(
        Axis(min(places) / 1.25, max(places) * 1.25, axis, tuple(ticks), log=True),
        Axis(low, 1.01, "accuracy", tuple((at, f"{at:g}") for at in tenths(low))),
        360,
        lines=tuple(lines),
        spots=tuple(spots),
        legend=tuple(Key(name, colour, name, "solid") for name, colour, _ in named),
        says="A curve that is pointed at says its numbers.",
        amounts=tuple(
            amount
            for name, _, points in named
            for x, span in points
            for amount in _amounts(f"{name}, {axis} {dict(ticks)[x]}", "accuracy", span)
        ),
    )


def published(named: Sequence[tuple[str, str, Dash, Sequence[float]]], sets: Sequence[tuple[float, str]]) -> Figure:
    """Published accuracies in percent, (name, colour, dash, one for each set), over the pictures of pre-training."""
    points = [(name, *at, value) for name, *_, values in named for at, value in zip(sets, values, strict=True)]
    lowest, highest = (around(value for *_, value in points) for around in (min, max))
    return chart(
        Axis(min(sets)[0] / 1.6, max(sets)[0] * 1.6, "pictures of pre-training", tuple(sets), log=True),
        Axis(
            5 * (lowest // 5),
            5 * (highest // 5 + 1),
            "top-1 accuracy, %",
            tuple((float(at), str(at)) for at in range(5 * int(lowest // 5), 5 * int(highest // 5) + 6, 5)),
        ),
        330,
        lines=tuple(
            Line(
                tuple((x, value) for (x, _), value in zip(sets, values, strict=True)),
                colour,
                name,
                dash=dash,
                smooth=False,
            )
            for name, colour, dash, values in named
        ),
        spots=tuple(
            Spot(x, value, {it[0]: it[1] for it in named}[name], row=name, says=f"{name}, {of}: {value:.2f} %")
            for name, x, of, value in points
        ),
        legend=tuple(Key(name, colour, name, dash) for name, colour, dash, _ in named),
        says="A point says its number.",
        amounts=tuple(Amount(f"{name}, {of}", "top-1 accuracy, %", value) for name, _, of, value in points),
    )


def losses(named: Sequence[tuple[str, str, Sequence[float]]], every: int, axis: str = "loss of the class") -> Figure:
    """Loss over steps, (name, colour, one value in `every` steps), each with the `BESIDE` values before it averaged."""
    steps, top = max(len(values) for *_, values in named) * every, max(max(values) for *_, values in named)
    return chart(
        linear(steps, "step"),
        linear(1.02 * min(top, MOST_LOSS), axis),
        ROW * 9 + 64,
        lines=tuple(
            Line(
                tuple(((at + 1) * every, value) for at, value in enumerate(smooth(values))),
                colour,
                name,
                f"{name}: {smooth(values)[-1]:.2f} at step {len(values) * every}",
                smooth=False,
                width=3,
            )
            for name, colour, values in named
        ),
        legend=tuple(Key(name, colour, name, "solid") for name, colour, _ in named),
        says="A curve that is pointed at says its numbers.",
    )


def schedule(rates: Sequence[float]) -> Figure:
    """The learning rate of every step, as a share of its full height."""
    colour, named = palette.KEY, "learning rate"
    return chart(
        linear(len(rates), "step"),
        linear(1.02, "share of the full rate"),
        220,
        lines=(
            Line(tuple(enumerate(rates, start=1)), colour, named, f"{named}: {rates[-1]:.2f} at the end", smooth=False),
        ),
        says="A curve that is pointed at says its number.",
    )


def _amounts(part: str, measure: str, span: Span) -> list[Amount]:
    """Mean, least and most over seeds."""
    return [Amount(part, f"{measure}, {of}", value) for of, value in zip(("mean", "least", "most"), span, strict=True)]


def smooth(values: Sequence[float]) -> list[float]:
    """Each value averaged with up to `BESIDE` before it."""
    windows = [values[max(0, at - BESIDE) : at + 1] for at in range(len(values))]
    return [sum(window) / len(window) for window in windows]


def tenths(low: float) -> list[float]:
    """0.3, 0.4, ... 1."""
    return [at / 10 for at in range(round(10 * low), 11)]
