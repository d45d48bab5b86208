"""What stands on *Switches*."""

from vitviz.cards import change
from vitviz.ui import page
from vitviz.ui.selection import current

from . import section


def show() -> None:
    """Draw it."""
    selection = current()
    page.sentence(
        "Choose a switch: its card shows in colour what it changes in an equation and in the code, what it costs, and "
        "what we measured with it. A Vision Transformer is a family."
    )
    section.show(selection)
    page.source(change.compared, change.totals)
