"""What stands on *Notebook*."""

from vitviz.selection import Selection
from vitviz.ui.notebook import cells

from .page import PAGE


def show(selection: Selection) -> None:
    cells.draw(PAGE, selection)
