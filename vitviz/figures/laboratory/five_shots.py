"""Figures of few-shot classes: their pictures, scores of one, what shots are worth, and a copy that learns them."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from vitviz import palette
from vitviz.figures.axes import cells, hidden, whole
from vitviz.figures.axes import names as named
from vitviz.figures.figure import Axis, Figure, Key, Numbers, Panel
from vitviz.figures.laboratory.curves import HEIGHT, dotted, numbers
from vitviz.figures.marks import Dash, Floats, Line, Mark, Picture, Pixels, Points, Says, Text
from vitviz.figures.model import classes
from vitviz.figures.parts import framed, level
from vitviz.figures.tiles import mosaic

NAME, AROUND = 32, 36  # pixels of a class: of its name, and of what stands around its pictures
WIDE, LARGEST = 1180, 120  # pixels of all pictures beside each other, about, and of one at most
ACROSS = 12  # of them beside each other, about
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

    A line has `room` for so many, at least for those that are there; short ones stand beside each other.
    """
    columns = max(room, *map(len, rows))
    tall = rows[0].shape[1] / rows[0].shape[2]
    columns_ = max(1, ACROSS // columns)
    high = round(min(LARGEST, WIDE / (columns_ * columns)) * tall)
    above = NAME / high  # of a picture's height
    lines: list[Panel] = []
    for name, row, count, missed in zip(names, rows, shots, wrong, strict=True):
        marks: list[Mark] = [
            Picture(mosaic(row, len(row), leading=0), 1, len(row)),
            Text(-0.5, -0.5, "", lead=name),
            framed(0, 0, columns=count),
            *chain.from_iterable(_cross(count + at) for at in missed),
        ]
        parts = (0, count, "shots" if count > 1 else "shot"), (count, len(row), "held out")
        ticks = tuple(((first + last - 1) / 2, title) for first, last, title in parts if first < last)
        across = replace(cells(columns), ticks=ticks, named=True, grid=False)
        down = hidden(0.5, -0.5 - above)
        lines.append(Panel(across, down, tuple(marks), NAME + high + AROUND, square=tall))
    says = "The pictures of a class, those that it was taught from first."
    return Figure(
        tuple(tuple(lines[at : at + columns_]) for at in range(0, len(lines), columns_)),
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
    offsets = (np.arange(draws) - (draws - 1) / 2) * 0.06
    dots = (shots[:, None] + offsets).ravel(), share.ravel()
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
    caption = f"How many of {tested} held-out pictures were named rightly."
    panel = Panel(whole(0.5, most + 0.5, "shots of each class", 1, most), SHARES, marks, 280)
    return Figure(((panel,),), numbers=(Numbers("right", ("shots", "draw"), right, caption),))


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
    parts = []
    for (name, (colour, dash)), its in list(zip(looks.items(), shares.T, strict=True))[: 1 + held_out]:
        says = Says(f"{name}, {{steps}} steps: {{value:.3f}}", {"steps": at})
        marks += dotted(at, its, says, colour, dash)
        keys.append(Key(name, colour, dash=dash))
        parts.append(numbers(name, at, its, "steps", SHARES.title))
    if frozen is not None:
        line = replace(level(frozen, steps[0], steps[-1]), says=f"read-out: {frozen:.3f}")
        keys.append(Key("held-out, read-out of the frozen model", line.colour, dash=line.dash))
        marks.append(line)
        x, y = np.array(line.points).T
        parts.append(numbers(keys[-1].text, x, y, "steps", SHARES.title))
    panel = Panel(whole(-0.04 * last, 1.04 * last, "steps", 0, last), SHARES, tuple(marks), HEIGHT)
    return Figure(((panel,),), numbers=tuple(parts), legend=tuple(keys))


def _cross(x: float) -> tuple[Line, Line]:
    ends = (((x - ARM, -ARM), (x + ARM, ARM)), ((x - ARM, ARM), (x + ARM, -ARM)))
    first, second = (Line(points, palette.KEY, says=CROSSED, smooth=False) for points in ends)
    return first, second
