"""What stands on *Switches*."""

from vitviz.cards import change
from vitviz.ui import page
from vitviz.ui.selection import current

from . import section


def show() -> None:
    """Draw it."""
    selection = current()
    section.show(selection)
    page.source(change.compared, change.totals)
