"""What stands on *Notebook*."""

from vitviz.ui.notebook import cells
from vitviz.ui.selection import Selection

from .page import PAGE


def show(selection: Selection) -> None:
    cells.draw(PAGE, selection)
