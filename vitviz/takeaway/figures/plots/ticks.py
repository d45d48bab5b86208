"""Where an axis has its ticks, and what is written at them."""

from collections.abc import Sequence
from math import ceil, floor, isclose, log10

STEPS = (1, 2, 2.5, 5, 10)
WITHIN = 1e-6  # of a step: a tick at the end of an axis is on it
DIGITS = (1, 2, 5)
MOST_DECIMALS = 9
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
Ticks = list[tuple[float, str]]  # places in the units of the axis


def linear(low: float, high: float, most: int, step: float = 0, first: float = 0) -> Ticks:
    """Round numbers from `low` to `high`, at most so many, or `step` apart from a `first` one."""
    step = step or _step(high - low, max(1, most))
    start = ceil((low - first) / step - WITHIN)
    places = [first + at * step for at in range(start, floor((high - first) / step + WITHIN) + 1)]
    return [(place, number(place, step)) for place in places]


def logarithmic(low: float, high: float, most: int) -> Ticks:
    """Powers of ten between two powers `low` and `high`, at most so many; over a short way 2 and 5 times them, too."""
    if high - low < 1.3:
        powers = range(floor(low), ceil(high) + 1)
        values = [digit * 10.0**power for power in powers for digit in DIGITS]
        return [(value, f"{value:g}".replace("-", "−")) for value in values if low <= log10(value) <= high]
    stride = max(1, ceil((high - low) / max(1, most)))
    return [(10.0**at, "10" + str(at).translate(SUPERSCRIPT)) for at in range(ceil(low), floor(high) + 1, stride)]


def number(value: float, step: float) -> str:
    """With as many decimals as the step has, thousands apart."""
    fewest = max(0, -floor(log10(step) + WITHIN))
    decimals = next((it for it in range(fewest, MOST_DECIMALS) if isclose(step, round(step, it))), MOST_DECIMALS)
    text = f"{0.0 if abs(value) < WITHIN * step else value:,.{decimals}f}"
    return text.replace("-", "−")


def thinned(ticks: Ticks, wide: Sequence[float], room: float) -> Ticks:
    """Every second, third ... tick, so that words `wide` pixels do not touch where a tick has `room` for itself."""
    if not ticks:
        return ticks
    every = max(1, ceil((max(wide) + 8) / max(room, 1)))
    return ticks[::every]


def _step(span: float, most: int) -> float:
    raw = span / most
    power = 10.0 ** floor(log10(raw))
    return next(it * power for it in STEPS if it * power >= raw * (1 - WITHIN))
