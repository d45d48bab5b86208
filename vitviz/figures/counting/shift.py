"""Charts of what becomes of an answer, and of a map, while the picture moves."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from vitviz import palette
from vitviz.figures.axes import linear
from vitviz.figures.figure import Figure, Key
from vitviz.figures.marks import Dash, Line, Rule
from vitviz.figures.parts import chart

HEIGHT = 250
CNN, VIT = palette.LAYERS["convolution"], palette.ATTENTION
Curve = tuple[Sequence[float], str, Dash]  # values over the pixels from 0 on, colour, dash


def over_pixels(curves: Mapping[str, Curve], unit: str, edges: Sequence[int]) -> Figure:
    """Named curves from 0, or below it, to 1 over the pixels of a shift; `edges` are shifts by whole patches."""
    last = max(len(values) for values, _, _ in curves.values()) - 1
    lowest = min(float(min(values)) for values, _, _ in curves.values())
    down = linear(1.0, unit, 5)
    return chart(
        linear(max(1, last), "pixels to the right", 8),
        replace(down, low=min(0.0, lowest), high=1.15),
        HEIGHT,
        lines=tuple(
            Line(tuple((float(at), float(value)) for at, value in enumerate(values)), colour, dash=dash, smooth=False)
            for values, colour, dash in curves.values()
        ),
        rules=tuple(Rule(edge, "patch edge") for edge in edges),
        legend=tuple(Key(name, colour, dash=dash) for name, (_, colour, dash) in curves.items()),
    )
