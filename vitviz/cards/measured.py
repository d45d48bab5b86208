"""What was measured with a switch: small trained siblings that differ in it alone."""

from vitviz.cards.card import Card, Choice
from vitviz.config import ConfigError
from vitviz.shelf.measured import Measured, all_of
from vitviz.shelf.rows import BASE, ON_SCREEN, SHELF, chosen_as

PAPERS = "learned"  # the row that is the paper's model


def siblings(card: Card, choice: Choice) -> list[Measured]:
    """The paper's model of the shelf and those with that value; none where no such one is trained."""
    try:
        asked = card.changed(BASE, choice)
    except ConfigError:
        return []
    rows = [row for row, it in ON_SCREEN.items() if it.norms and it.sizes == asked and row != PAPERS]
    found = all_of([PAPERS, *rows])
    return found if len(found) > 1 or asked == BASE else []


def on_shelf(row: str) -> str:
    """The name by which a sibling is chosen; empty where it does not ship."""
    name = chosen_as(row)
    return name if name in SHELF else ""
