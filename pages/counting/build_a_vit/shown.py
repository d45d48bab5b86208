"""What stands on *Build a ViT*."""

import streamlit as st

from vitviz import counts
from vitviz.numbers import exact
from vitviz.ui import page
from vitviz.ui.selection import current
from vitviz.ui.widgets import tiles

from . import section


def show() -> None:
    """Draw it."""
    config = current().config
    section.switches(config)
    left, right = st.columns([1, 3])
    with left.container(gap=None):
        section.controls(config)
    with right:
        section.area(config)
    last = section.before(config)
    for name, figures_of in {
        "Sizes": tiles.sizes,
        "Parameters": tiles.parameters,
        "Multiply-accumulates of one picture": tiles.macs,
        "Memory in 16 bit": tiles.memory,
    }.items():
        tiles.tiles(name, figures_of(config), figures_of(last))
    with st.expander("The same model in other code: every argument, ours and theirs"):
        section.names(config)
    section.questions(config)
    block = counts.count_line(config, "block").here
    before_blocks, after_blocks = (counts.count_line(config, stage) for stage in ("position_embedding", "head"))
    total = counts.total_parameters(config)
    page.formula(
        r"\Phi = \text{embedding} + \text{depth} \cdot \text{block} + \text{norm and head}",
        rf"{exact(total)} = {exact(before_blocks.so_far)} + {config.depth} \cdot {exact(block)} + "
        rf"{exact(after_blocks.here)}",
    )
    page.source(counts.total_parameters, counts.total_macs)
