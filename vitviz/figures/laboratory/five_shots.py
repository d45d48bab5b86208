"""Figures of few-shot classes: their pictures, scores of one, what shots are worth, and a copy that learns them."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from vitviz import palette
from vitviz.figures.axes import hidden, whole
from vitviz.figures.axes import names as named
from vitviz.figures.figure import Axis, Figure, Key, Numbers, Panel
from vitviz.figures.laboratory.curves import HEIGHT, dotted, numbers
from vitviz.figures.marks import Dash, Floats, Line, Mark, Picture, Pixels, Points, Says, Text
from vitviz.figures.model import classes
from vitviz.figures.parts import framed, level
from vitviz.figures.tiles import mosaic

NAME, LINE = 32, 92  # pixels of a class: of its name and of its pictures
ARM = 0.32  # of a picture, from the middle of a cross
CROSSED = "held-out, named wrongly"
SHARES = Axis(-0.03, 1.06, "share right", tuple((at, f"{at:g}") for at in (0, 0.25, 0.5, 0.75, 1)), named=True)


def pictures(
    names: Sequence[str],
    rows: Sequence[Pixels],
    shots: Sequence[int],
    wrong: Sequence[Sequence[int]],
    room: int = 0,
) -> Figure:
    """Pictures of each class in a line, `picture y x 3`; the first `shots` are framed, those called `wrong` crossed.

    A line has `room` for so many, at least for those that are there.
    """
    columns = max(room, *map(len, rows))
    tall = rows[0].shape[1] / rows[0].shape[2]
    above = NAME / round(LINE * tall)  # of a picture's height
    marks: list[Mark] = []
    for place, (name, row, count, missed) in enumerate(zip(names, rows, shots, wrong, strict=True)):
        y = place * (1 + above)
        marks.append(Picture(mosaic(row, len(row), leading=0), 1, len(row), y=y))
        marks.append(Text(-0.5, y - 0.5, "", lead=name))
        marks.append(framed(y, 0, columns=count))
        marks += chain.from_iterable(_cross(count + at, y) for at in missed)
    axes = hidden(-0.5, columns - 0.5), hidden(len(rows) * (1 + above) - above - 0.5, -0.5 - above)
    says = "The pictures of a class, those that it was taught from first."
    return Figure(
        ((Panel(*axes, tuple(marks), (NAME + round(LINE * tall)) * len(rows), square=tall),),),
        numbers=tuple(
            Numbers(name, ("picture", "row", "column", "channel"), row, says, photo=True)
            for name, row in zip(names, rows, strict=True)
        ),
    )


def scores(names: Sequence[str], values: Floats) -> Figure:
    """The score of each class, as bars around 0."""
    reach = 1.4 * max(1.0, float(np.abs(values).max()))
    across = Axis(-reach, reach, ticks=tuple((float(at), f"{at}".replace("-", "−")) for at in (-1, 0, 1)), named=True)
    bars = replace(classes.bars(names, values, palette.HEAD), thick=0.8)
    return Figure(((Panel(across, named(names), (bars,), classes.height(names) + 44),),))


def by_shots(right: Floats, tested: int, chance: float, chosen: int) -> Figure:
    """The share of `tested` pictures named rightly by shots, `shots draw`: a dot per draw, a line of means."""
    most, draws = right.shape
    share, shots = right / tested, np.arange(1, most + 1)
    beside = (np.arange(draws) - (draws - 1) / 2) * 0.06
    dots = (shots[:, None] + beside).ravel(), share.ravel()
    means, large = share.mean(axis=1), shots == chosen
    curve = tuple(zip(shots.tolist(), means.tolist(), strict=True))
    colours = np.where(large, palette.FRAME, palette.HEAD).tolist()
    says = Says("{shots} shots: {value:.3f} on average", {"shots": shots})
    marks = (
        level(chance, 0.5, most + 0.5),
        Points(*dots, (palette.HEAD,), says=Says("one draw: {value:.3f}"), opacity=0.5),
        Line(curve, palette.HEAD, width=3, smooth=False),
        Points(shots, means, colours, np.where(large, 16, 9).tolist(), says=says),
    )
    told = f"How many of {tested} held-out pictures were named rightly."
    panel = Panel(whole(0.5, most + 0.5, "shots of each class", 1, most), SHARES, marks, 280)
    return Figure(((panel,),), numbers=(Numbers("right", ("shots", "draw"), right, told),))


def by_steps(
    steps: Sequence[int], right: Sequence[tuple[float, float]], held_out: bool, frozen: float | None
) -> Figure:
    """The shares of shots and, where there are, of `held_out` pictures named rightly after steps of learning.

    Dashed: that of held-out pictures which the read-out of the `frozen` model names rightly.
    """
    last = max(1, steps[-1])
    at, shares = np.array(steps), np.array(right)
    looks: dict[str, tuple[str, Dash]] = {"shots": (palette.FRAME, "dot"), "held-out": (palette.HEAD, "solid")}
    keys: list[Key] = []
    marks: list[Mark] = []
    told = []
    for (name, (colour, dash)), its in list(zip(looks.items(), shares.T, strict=True))[: 1 + held_out]:
        says = Says(f"{name}, {{steps}} steps: {{value:.3f}}", {"steps": at})
        marks += dotted(at, its, says, colour, dash)
        keys.append(Key(name, colour, dash=dash))
        told.append(numbers(name, at, its, "steps", SHARES.title))
    if frozen is not None:
        line = replace(level(frozen, steps[0], steps[-1]), says=f"read-out: {frozen:.3f}")
        keys.append(Key("held-out, read-out of the frozen model", line.colour, dash=line.dash))
        marks.append(line)
        x, y = np.array(line.points).T
        told.append(numbers(keys[-1].text, x, y, "steps", SHARES.title))
    panel = Panel(whole(-0.04 * last, 1.04 * last, "steps", 0, last), SHARES, tuple(marks), HEIGHT)
    return Figure(((panel,),), numbers=tuple(told), legend=tuple(keys))


def _cross(x: float, y: float) -> tuple[Line, Line]:
    ends = (((x - ARM, y - ARM), (x + ARM, y + ARM)), ((x - ARM, y + ARM), (x + ARM, y - ARM)))
    first, second = (Line(points, palette.KEY, says=CROSSED, smooth=False) for points in ends)
    return first, second
