"""Charts of measured time: stages under the roof of the device, and networks over growing work."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Literal

from vitviz import palette
from vitviz.figures.axes import logarithmic
from vitviz.figures.figure import Axis, Figure, Key
from vitviz.figures.marks import Anchor, Line, Spot, Text
from vitviz.figures.parts import Amount, Span, chart, spanned
from vitviz.numbers import bytes_, short, small

HEIGHT, LOWER = 380, 280
PLOT, LETTERS = (700, 300), 16  # pixels of a plot, and of a label on it, about
SIDES: tuple[tuple[int, int, Anchor], ...] = ((0, 20, "middle"), (0, -20, "middle"), (13, 0, "start"), (-13, 0, "end"))
ROOM = 2.0  # times the outermost points on every side
INTENSITY, RATE = "FLOP per byte", "FLOP per second"
COLOURS = {"ViT": palette.LAYERS["self-attention"], "CNN": palette.LAYERS["convolution"]}


@dataclass(frozen=True, slots=True)
class Under:
    """What stands under the roof: a `label` at its place, FLOPs per byte and per second, and what is said of it."""

    name: str
    label: str
    intensity: float
    rate: float
    colour: str
    shape: Literal["circle", "diamond", "ring"]
    says: str


@dataclass(frozen=True, slots=True)
class Curve:
    """One network over sizes: for each the median, the least and the most."""

    name: str
    values: Sequence[Span]


def roofline(points: Sequence[Under], peak: float, bandwidth: float, copied: float) -> Figure:
    """Points under the lower of two lines, `peak` FLOP per second and `bandwidth` bytes per second, on log axes.

    A dashed line is what a large copy reaches, where a stage moves more.
    """
    ridge = peak / bandwidth
    low = min(ridge, *(it.intensity for it in points)) / ROOM
    high = max(ridge, *(it.intensity for it in points)) * ROOM
    least = min(bandwidth * low, *(it.rate for it in points)) / ROOM
    lines = [Line(((low, bandwidth * low), (ridge, peak), (high, peak)), palette.RESIDUAL, "roof", smooth=False)]
    keys = [Key("the roof: the most measured here", palette.RESIDUAL, "roof", "solid")]
    if copied < bandwidth:
        ends = (low, copied * low), (peak / copied, peak)
        lines.append(Line(ends, palette.RESIDUAL, "copy", dash="dash", width=2, smooth=False))
        keys.append(Key("a large copy", palette.RESIDUAL, "copy", "dash"))
    shapes = {"ring": "○ another way to the same result", "diamond": "◆ whole models"}
    present = [text for shape, text in shapes.items() if any(it.shape == shape for it in points)]
    return chart(
        logarithmic(low, high, INTENSITY),
        logarithmic(least, peak * ROOM, RATE),
        HEIGHT,
        lines=tuple(lines),
        texts=_labels(points, log(high / low) / PLOT[0], log(peak * ROOM / least) / PLOT[1]),
        spots=tuple(Spot(it.intensity, it.rate, it.colour, it.shape, row=it.name, says=it.says) for it in points),
        legend=(*keys, *(Key(text, "transparent") for text in present)),
        says="A point says its numbers.",
        amounts=(
            Amount("the roof", RATE, peak),
            Amount("the roof", "bytes per second", bandwidth),
            *(Amount(it.name, unit, value) for it in points for unit, value in _numbers(it)),
        ),
    )


def over(sizes: Sequence[int], curves: Sequence[Curve], axis: str, unit: Literal["ms", "bytes"]) -> Figure:
    """Curves over sizes on log axes; a line at each size goes from the least to the most."""
    say = (lambda value: bytes_(round(value))) if unit == "bytes" else (lambda value: f"{small(value)} ms")
    every = [value for it in curves for values in it.values for value in values]
    ticks = tuple((float(size), short(size)) for size in sizes)
    title = {"ms": "ms for each picture", "bytes": "bytes held at once"}[unit]
    places = [(size, f"{axis} {size}") for size in sizes]
    named = [
        (it.name, COLOURS[it.name], [(*place, values) for place, values in zip(places, it.values, strict=True)])
        for it in curves
    ]

    def caption(median: float, least: float, most: float) -> str:
        return say(median) + (f", from {say(least)} to {say(most)}" if least < most else "")

    return chart(
        Axis(sizes[0] / 1.2, sizes[-1] * 1.2, axis, ticks, log=True),
        logarithmic(min(every) / 1.3, max(every) * 1.3, title),
        LOWER,
        **spanned(named, title, caption, "median", width=3),
        says="A point says its number.",
    )


def _labels(points: Sequence[Under], across: float, down: float) -> tuple[Text, ...]:
    """The label of each point on that side of it where nothing stands, if there is one; a pixel is so much of a log.

    Whole models come first, then other ways to a result.
    """
    places = {it.name: (log(it.intensity) / across, log(it.rate) / down) for it in points}
    heights, texts = [*places.values()], []
    for it in sorted(points, key=lambda it: ("diamond", "ring", "circle").index(it.shape)):
        x, y = places[it.name]
        for dx, dy, anchor in SIDES:
            there = x + 1.5 * dx, y + 1.2 * dy
            if all(abs(there[0] - other[0]) > LETTERS or abs(there[1] - other[1]) > LETTERS for other in heights):
                heights.append(there)
                at = exp((x + dx) * across), exp((y + dy) * down)
                texts.append(Text(*at, it.label, anchor, "middle", it.name))
                break
    return tuple(texts)


def _numbers(it: Under) -> tuple[tuple[str, float], ...]:
    return (INTENSITY, it.intensity), (RATE, it.rate)
