"""What stands on *Find the model*."""

import streamlit as st

from vitviz import counts
from vitviz.config import ViTConfig
from vitviz.counts.scaling import search
from vitviz.numbers import exact
from vitviz.ui import page
from vitviz.ui.selection import current

from . import section


@st.fragment
def draw(config: ViTConfig) -> None:
    """All that follows from the budget."""
    budget = section.show(config)
    found, best = budget.best, budget.best.config
    block = search.block_count(best, budget.unit)
    page.formula(
        r"\text{depth} = \frac{\text{budget} - \text{outside the blocks}}{\text{one block}}",
        rf"\frac{{{exact(budget.count)} - {exact(found.count - best.depth * block)}}}{{{exact(block)}}} = "
        rf"{search.depth_for(best, budget.count, budget.unit):.2f} \approx {best.depth}",
    )


def show() -> None:
    """Draw it."""
    draw(current().config)
    page.source(counts.nearest)
