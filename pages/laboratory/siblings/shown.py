"""What stands on *Siblings*."""

from vitviz.shelf import measured
from vitviz.shelf.rows import Recipe
from vitviz.ui import controls, page
from vitviz.ui.selection import current

from . import demo, published
from . import measured as section
from .page import DIFFERS


def show() -> None:
    """Draw it."""
    selection = current()
    here = selection.model.name
    match controls.draw(DIFFERS, selection.config, label_visibility="collapsed"):
        case "Positions":
            section.positions(here)
        case "Switches":
            section.switches(here)
        case "Learning rates":
            section.rates()
            demo.trained()
        case _:
            section.data()
            published.by_data()
            published.biases()
    page.formula(
        r"\bar a = \tfrac{1}{S} \textstyle\sum_s a_s \qquad \sigma_\text{guess} = \sqrt{\frac{p (1 - p)}{n}}",
        r"\sqrt{\frac{0.25 \cdot 0.75}{248}} = 0.027",
    )
    page.source(measured.of, Recipe)
