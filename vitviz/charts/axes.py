"""Axes with round numbers at their ticks."""

from math import ceil, floor, log10

from vitviz.charts.chart import Axis
from vitviz.numbers import SI

STEPS = (1, 2, 2.5, 5, 10)
MOST_TICKS, FEWEST_TICKS = 8, 3  # on a logarithmic axis


def hidden(low: float, high: float) -> Axis:
    """An axis of which nothing is drawn."""
    return Axis(low, high)


def linear(high: float, title: str, ticks: int = 6) -> Axis:
    """From 0 to `high`, with about that many ticks."""
    raw = high / ticks
    power = 10.0 ** floor(log10(raw))
    step = power * min((it for it in STEPS if it * power >= raw), default=10)
    return Axis(0, high, title, tuple((at * step, _tick(at * step)) for at in range(floor(high / step) + 1)))


def logarithmic(low: float, high: float, title: str) -> Axis:
    """From one power of ten or two between them to another, with a tick at powers of ten.

    Where these are few, twice and five times as much have one as well.
    """
    first, last = ceil(log10(low)), floor(log10(high))
    stride = max(1, ceil((last - first + 1) / MOST_TICKS))
    places = [10.0**power for power in range(first, last + 1, stride)]
    if len(places) < FEWEST_TICKS:
        between = [factor * 10.0**power for power in range(first - 1, last + 1) for factor in (1, 2, 5)]
        places = [at for at in between if low <= at <= high]
    return Axis(low, high, title, tuple((at, _tick(at)) for at in places), log=True)


def _tick(value: float) -> str:
    """No digit more than a round number has: 0, 2.5, 1,000, 75 G."""
    if value < 10_000:
        return f"{value:,.6g}"
    power = floor(log10(value) / 3 + 1e-9)
    return f"{value / 1000**power:g} {SI[power]}"
