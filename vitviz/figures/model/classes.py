"""Figures of the class head: logits and probabilities, and the same read-out after every block."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from vitviz import numbers, palette
from vitviz.figures import axes
from vitviz.figures.figure import Axis, Figure, Key, Numbers, Panel
from vitviz.figures.marks import Anchor, Bars, Colours, Dash, Floats, Heat, Line, Mark, Points, Says, Shape, Text
from vitviz.figures.parts import framed

LINE = 28  # pixels per class
FEWEST = 5  # classes that there is room for
FAINT = 0.1  # where no probability is larger, an axis to 1 would show nothing
TICKS, TITLED = 26, 50  # pixels below the classes, without and with a title of the axis
WRITING = 0.35  # share of an axis that leaves room for a number beside the longest bar
BRIGHT = 0.6  # share of the scale above which a cell takes a dark mark
CURVES, ROW, LOW_ROW = 280, 22, 17  # pixels of curves, and of each name beside them, fewer where there are many
LONGEST = 30  # letters of a name beside curves
OTHERS = (palette.KEY, palette.VALUE, palette.POSITION, palette.MLP, palette.RESIDUAL)  # of what is not the answer
DASHES: tuple[Dash, ...] = ("solid", "dash", "dot")  # with each of the colours
SHAPES: tuple[Shape, ...] = ("circle", "diamond")


def logits(labels: Sequence[str], values: Floats, heads: Mapping[str, Floats]) -> Figure:
    """Logits as bars, the first class on top; where several `heads` are averaged, theirs are marked on the bars."""
    everything = np.stack([values, *heads.values()])
    low, high = min(0.0, float(everything.min())), max(0.0, float(everything.max()))
    room = (high - low) * WRITING or 1.0
    across = axes.linear(high + room, low=low - room * (low < 0))
    if len(heads) < 2:
        return _listed("Logits", labels, across, bars(labels, values, palette.RESIDUAL))
    plain = replace(bars(labels, values, palette.RESIDUAL), texts=())
    places = np.arange(len(labels))
    marks, legend, numbers = [], [], [Numbers("values", ("bar",), values, names={"bar": labels})]
    for (name, own), shape in zip(heads.items(), SHAPES, strict=True):
        says = Says(f"{{label}}\n{name} {{value:.4f}}", {"label": labels})
        marks.append(Points(own, places, (palette.FRAME,), (13,), shape, says, edge="#444444"))
        legend.append(Key(name, palette.FRAME, shape=shape))
        points, pair = np.stack([own, places], axis=1), {"coordinate": ("x", "y")}
        numbers.append(Numbers(name, ("point", "coordinate"), points, name, names=pair))
    return replace(_listed("Logits", labels, across, plain, *marks), numbers=tuple(numbers), legend=tuple(legend))


def probabilities(labels: Sequence[str], values: Floats) -> Figure:
    """Probabilities as bars from 0 to 1, the first class on top."""
    across = Axis(0, 1 + WRITING, ticks=((0, "0"), (0.5, "0.5"), (1, "1")), named=True)
    return _listed("Probabilities", labels, across, bars(labels, values, palette.HEAD))


def lens(values: Floats, labels: Sequence[str], winners: Sequence[int | None], after: int) -> Figure:
    """Probabilities `(depth + 1) classes` as a heat map, one line per class, one column per read-out.

    `winners` says for each column which of these classes has the largest probability, if one of them has; its cell
    carries a dot. The column `after` is framed.
    """
    count, colours = len(values), Colours(1)
    columns = {"label": np.asarray(labels)[:, None], "layer": np.arange(count)[None]}
    marked = [(place, line) for place, line in enumerate(winners) if line is not None]
    x, y = np.array(marked, int).reshape(-1, 2).T
    across = axes.whole(-0.5, count - 0.5, "after layer (0: the embedding)", 0, count - 1, 16)
    marks = (
        Heat(values.T, colours, Says("{label}\nafter layer {layer}: probability {value:.4f}", columns)),
        framed(0, after, len(labels), 1),
        Points(x, y, ["#111111" if values[at] > BRIGHT else "#ffffff" for at in marked] or ["#ffffff"], (13,)),
    )
    down = axes.names(labels)
    panel = Panel(replace(across, named=True, grid=False), down, marks, height(labels) + TITLED)
    return Figure(((panel,),), scale=colours)


def curves(labels: Sequence[str], values: Floats) -> Figure:
    """Probabilities `(depth + 1) classes` as curves, the answer first, and what each is and ends at beside them."""
    after, many = len(values) - 1, len(labels)
    row = ROW if many <= 12 else LOW_ROW
    lines: list[Mark] = []
    named: list[Mark] = []
    for at, (label, curve) in enumerate(zip(labels, values.T, strict=True)):
        dash, colour = divmod(at - 1, len(OTHERS))
        drawn = Line(
            tuple(enumerate(curve.tolist())),
            OTHERS[colour] if at else palette.HEAD,
            label,
            f"{label}: {numbers.small(float(curve[-1]))}",
            DASHES[dash % len(DASHES)] if at else "solid",
            2 if at else 4,
            smooth=False,
        )
        lines.append(drawn)
        named.append(replace(drawn, points=((0.0, at + 0.5), (0.12, at + 0.5)), row="", says=""))
        named.append(_label(label, at, 0.13, "start", not at))
        named.append(_label(numbers.small(float(curve[-1])), at, 1.0, "end", not at))
    across = axes.whole(0, max(1, after), "after layer (0: the embedding)", 0, after, 13)
    down = Axis(0, 1, ticks=((0, "0"), (0.5, "0.5"), (1, "1")))
    legend = Panel(axes.hidden(0, 1), axes.hidden(many, 0), tuple(named), row * many + 14, f"after layer {after}")
    plot = Panel(across, down, tuple(reversed(lines)), max(CURVES, row * many), "probability")
    return Figure(((plot, legend),))


def bars(labels: Sequence[str], values: Floats, colour: str) -> Bars:
    """A bar to the right for each class, the first on top, with its number at its end."""
    says, texts = Says("{label}: {value:.4f}", {"label": labels}), [numbers.small(float(value)) for value in values]
    return Bars(np.arange(len(labels)), values, (colour,), says, level=True, texts=texts)


def height(labels: Sequence[str]) -> int:
    """Pixels for one line per class; few of them have room for more."""
    return LINE * max(len(labels), FEWEST)


def _listed(title: str, labels: Sequence[str], across: Axis, *marks: Bars | Points) -> Figure:
    panel = Panel(across, axes.names(labels), marks, height(labels) + TICKS)
    return Figure(((panel,),), title)


def _label(text: str, line: int, x: float, anchor: Anchor, bold: bool) -> Text:
    fitting = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    return Text(x, line + 0.5, "" if bold else fitting, anchor, "middle", lead=fitting if bold else "")
