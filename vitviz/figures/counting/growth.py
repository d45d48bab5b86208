"""Charts of how costs grow: curves with a handle to drag along them, against laws that are straight or bent."""

from collections.abc import Sequence

from vitviz.figures.axes import linear, logarithmic
from vitviz.figures.figure import Figure, Handle, Key
from vitviz.figures.marks import Dash, Line, Rule, Spot
from vitviz.figures.parts import Amount, chart

HEIGHT = 365
Curve = tuple[str, Sequence[float], str, Dash]  # name, values, colour, dash


def curves(
    against: Sequence[float],
    lines: Sequence[Curve],
    handle: Handle,
    axis: str,
    *,
    unit: str,
    log: bool,
    now: tuple[float, float],
    marks: Sequence[tuple[float, str]] = (),
) -> Figure:
    """Lines over `against`, the most important first; `handle` is dragged along it, `now` is the model on screen.

    On `log` axes a law of power p has the slope p. A mark (place, words) is a line across, where it is in sight.
    """
    last, top = max(against), max(lines[0][1])
    if log:
        across = logarithmic(min(against), last, axis)
        down = logarithmic(min(min(values) for _, values, _, dash in lines if dash == "solid"), 1.3 * top, unit)
    else:
        across, down = linear(last, axis, 9), linear(1.05 * top, unit)
    return chart(
        across,
        down,
        HEIGHT,
        lines=tuple(
            Line(tuple(zip(against, values, strict=True)), colour, name, dash=dash, width=3 if dash == "dot" else 4.5)
            for name, values, colour, dash in reversed(lines)
        ),
        rules=tuple(Rule(at, words) for at, words in marks if across.low < at < across.high),
        spots=(Spot(*now, "currentColor", "ring", row="the model on screen", says=""),),
        handles=(handle,),
        amounts=tuple(Amount("the model on screen", *it) for it in zip((axis, unit), now, strict=True)),
        legend=(
            *(Key(name, colour, name, dash) for name, _, colour, dash in lines),
            Key("○ the model on screen", "transparent", "the model on screen"),
        ),
        says=handle.stops[handle.at].says,
    )
