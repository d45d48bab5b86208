"""Switches: the family of architectures, one card for each switch."""

from vitviz.cards import change
from vitviz.ui import page
from vitviz.ui.sections.laboratory import switches
from vitviz.ui.selection import current

selection = current()
page.sentence(
    "A Vision Transformer is a family: each switch changes a line of an equation and a few lines of code. Choose one."
)
switches.show(selection)
page.source(change.compared, change.totals)
