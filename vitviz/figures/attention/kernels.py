"""Figure of a head as a kernel, beside one of 3 × 3."""

import numpy as np

from vitviz.figures.axes import hidden
from vitviz.figures.figure import Figure, Numbers, Panel
from vitviz.figures.marks import Area, Colours, Floats, Heat, Says, Text

HEIGHT = 240  # pixels


def beside_a_convolution(kernel: Floats, name: str, patch: float = 1) -> Figure:
    """The mean weights of a head by offset, `down across`, and a 3 × 3 kernel of equal weights, both on one scale.

    A patch is `patch` times as high as wide.
    """
    side = len(kernel)
    middle = side // 2
    equal = np.zeros_like(kernel)
    near = slice(middle - 1, middle + 2)
    equal[near, near] = 1 / 9
    colours = Colours(float(max(kernel.max(), equal.max())))
    down, across = np.mgrid[:side, :side] - middle
    says = Says("{down} rows down, {across} columns right: {value:.4f}", {"down": down, "across": across})
    marks = [
        mark
        for left, values, words in ((0, kernel, name), (side + 1, equal, "a 3 × 3 kernel"))
        for mark in (
            Heat(values, colours, says, x=left),
            Area(left + middle - 1.5, middle - 1.5, 3, 3, "none", framed=True),
            Text(left + middle, -0.5, words, "middle"),
        )
    ]
    numbers = [
        Numbers(name, ("down", "across"), values) for name, values in (("kernel", kernel), ("3 x 3 kernel", equal))
    ]
    panel = Panel(hidden(-0.5, 2 * side + 0.5), hidden(side - 0.5, -1.6), tuple(marks), HEIGHT, square=patch)
    return Figure(((panel,),), numbers=tuple(numbers), scale=colours)
