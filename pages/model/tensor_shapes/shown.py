"""What stands on *Tensor shapes*."""

import streamlit as st

from vitviz import counts
from vitviz.figures.counting import counts as charts
from vitviz.numbers import bytes_, exact
from vitviz.ui import page
from vitviz.ui.selection import current
from vitviz.ui.widgets.live.tensors import local

from . import section


def show() -> None:
    """Draw it."""
    selection = current()
    config = selection.config

    left, right = st.columns([13, 9])
    with left:
        section.show(section.chosen(config, selection.model.precision), selection.model.name)
    values = counts.activations(config)
    block = [row for row in values if row.name.startswith("blocks.0.")]
    with right:
        page.chart(
            charts.sizes([(local(row.name), row.axes, row.bytes) for row in block]),
            "The activations of one block",
            f"The {len(block)} activations of one block to one scale: {bytes_(sum(row.bytes for row in block))} for "
            f"one picture in float32. All {exact(len(values))} activations of the forward pass: "
            f"{bytes_(sum(row.bytes for row in values))}.",
            "tensors",
        )
    stream = f"{exact(config.tokens)} × {exact(config.dim)}"
    learned = f"{len(config.prefix_tokens)} × {exact(config.dim)}"
    st.markdown(
        f"**One picture is a batch of one**: b = 1. Of two pictures every activation has b = 2, 2 × {stream} in the "
        "residual stream, and no parameter changes."
        + (
            f" Prefix tokens, learned once, are repeated: 1 × {learned} → 2 × {learned}."
            if config.prefix_tokens
            else ""
        )
    )
    scores = next(row for row in block if row.name.endswith("attn.scores"))
    page.formula(
        r"\text{bytes of the attention scores} = \mathit{heads} \cdot t \cdot t \cdot 4",
        rf"{config.heads} \cdot {config.tokens} \cdot {config.tokens} \cdot 4 = {exact(scores.bytes)}",
    )
    page.source(counts.tensors, counts.activations)
