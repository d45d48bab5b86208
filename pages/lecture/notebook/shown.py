"""What stands on *Notebook*."""

from vitviz.ui.notebook import cells

from .page import PAGE


def show() -> None:
    """Draw it."""
    cells.draw(PAGE)
