"""What became of the requests to the engine."""

import numpy as np

from vitviz import numbers, palette
from vitviz.figures.axes import hidden, names
from vitviz.figures.figure import Figure, Panel
from vitviz.figures.marks import Bars, Says

ROW = 46  # pixels


def outcomes(*many: tuple[str, int]) -> Figure:
    """One bar for each outcome, with its number."""
    called, counts = zip(*many, strict=True)
    says = Says("{name}: {value:,}", {"name": called})
    texts = [numbers.exact(number) for number in counts]
    bars = Bars(np.arange(len(many)), np.array(counts), (palette.ATTENTION,), says, level=True, texts=texts)
    panel = Panel(hidden(0, 1.15 * max(1, *counts)), names(called), (bars,), ROW * len(many) + 20)
    return Figure(((panel,),))
