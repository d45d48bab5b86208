"""Axes with round numbers at their ticks, and axes of tokens, classes and cells."""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, floor, log10

from vitviz.figures.figure import Axis
from vitviz.numbers import SI, exact

STEPS = (1, 2, 2.5, 5, 10)
MOST_TICKS, FEWEST_TICKS = 8, 3  # on a logarithmic axis


def hidden(low: float, high: float) -> Axis:
    """An axis of which nothing is drawn."""
    return Axis(low, high)


def cells(count: float) -> Axis:
    """An axis of cells, the first of them centred at 0, of which nothing is drawn."""
    return Axis(-0.5, count - 0.5)


def linear(high: float, title: str = "", ticks: int = 6, low: float = 0) -> Axis:
    """From `low` to `high`, with about that many ticks; where both are one number, of a length of 1."""
    high = high if high > low else low + 1
    raw = (high - low) / ticks
    power = 10.0 ** floor(log10(raw))
    step = power * min((it for it in STEPS if it * power >= raw * (1 - 1e-9)), default=10)
    places = [at * step for at in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]
    return Axis(low, high, title, tuple((at, _tick(at)) for at in places))


def whole(low: float, high: float, title: str, first: int, last: int, most: int = 8) -> Axis:
    """From `low` to `high`, with ticks at whole numbers from `first` to `last`, some `most` at equal steps."""
    step = max(1, ceil((last - first) / most))
    return Axis(low, high, title, tuple((float(at), exact(at)) for at in range(first, last + 1, step)), whole=True)


def names(words: Sequence[str], title: str = "") -> Axis:
    """One line for each word, the first on top."""
    ticks = tuple((float(at), word) for at, word in enumerate(words))
    return Axis(len(words) - 0.5, -0.5, title, ticks, named=True, grid=False)


def bare(axis: Axis) -> Axis:
    """The same axis without words, beside or above one that has them."""
    return replace(axis, title="", ticks=tuple((at, "") for at, _ in axis.ticks), named=True)


def tokens(count: int, prefix: Sequence[str], title: str = "", down: bool = False) -> Axis:
    """An axis of `count` tokens from 0 on: the first prefix token by name, about four patches with round numbers."""
    patches = count - len(prefix)
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, patches) if patches / step <= 5)
    ticks = [(float(at), name) for at, name in enumerate(prefix[:1])]
    ticks += [(float(len(prefix) - 1 + patch), exact(patch)) for patch in range(step, patches + 1, step)]
    ends = (count - 0.5, -0.5) if down else (-0.5, count - 0.5)
    return Axis(*ends, title, tuple(ticks), named=True, grid=False)


def logarithmic(low: float, high: float, title: str) -> Axis:
    """From one power of ten or two between them to another, with a tick at powers of ten.

    Where these are few, twice and five times as much have one as well; where these are few, numbers at equal steps.
    """
    first, last = ceil(log10(low)), floor(log10(high))
    stride = max(1, ceil((last - first + 1) / MOST_TICKS))
    places = [10.0**power for power in range(first, last + 1, stride)]
    if len(places) < FEWEST_TICKS:
        between = [factor * 10.0**power for power in range(first - 1, last + 1) for factor in (1, 2, 5)]
        places = [at for at in between if low <= at <= high]
    ticks = tuple((at, _tick(at)) for at in places)
    return Axis(low, high, title, ticks if len(ticks) >= FEWEST_TICKS else linear(high, low=low).ticks, log=True)


def _tick(value: float) -> str:
    """No digit more than a round number has: 0, 2.5, 1,000, 75 G."""
    if abs(value) < 10_000:
        return f"{round(value, 9):,.6g}".replace("-", "−")
    power = floor(log10(abs(value)) / 3 + 1e-9)
    return f"{value / 1000**power:g} {SI[power]}"
