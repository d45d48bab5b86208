"""Switches: the family of architectures, one card for each switch."""

from vitviz.cards import change
from vitviz.ui import page
from vitviz.ui.sections.laboratory import switches
from vitviz.ui.selection import current

selection = current()
page.sentence(
    "Choose a switch: its card shows in colour what it changes in an equation and in the code, what it costs, and what "
    "we measured with it. A Vision Transformer is a family."
)
switches.show(selection)
page.source(change.compared, change.totals)
