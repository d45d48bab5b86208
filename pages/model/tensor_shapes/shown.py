"""What stands on *Tensor shapes*."""

import streamlit as st

from vitviz import counts
from vitviz.config import ViTConfig
from vitviz.counts import TensorRow
from vitviz.figures.counting import counts as charts
from vitviz.numbers import bytes_, exact
from vitviz.selection import Selection
from vitviz.ui import controls, page
from vitviz.ui.widgets.live.tensors import local, tensors

from .page import FIND, KIND

MOST_ROWS = 1500  # of the list; a browser slows down with more
DTYPES = {"fp32": "float32", "bf16": "bfloat16", "fp16": "float16"}


def show(selection: Selection) -> None:
    config = selection.config

    left, right = st.columns([13, 9])
    with left:
        rows_of(chosen(config, selection.model.precision), selection.model.name)
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


def chosen(config: ViTConfig, precision: str) -> list[TensorRow]:
    """Controls for kind and search; the rows that they leave, every word of the search in name, axes or shape."""
    left, right = st.columns(2, vertical_alignment="bottom")
    with left:
        kind = controls.draw(KIND, config)
    with right:
        search = controls.draw(FIND, config, placeholder="attn.q   blocks.3.   head t dh")
    rows = [row for row in counts.tensors(config, DTYPES[precision]) if kind in ("", row.kind)]
    return [row for row in rows if all(word in _text(row) for word in search.lower().split())]


def rows_of(rows: list[TensorRow], name: str) -> None:
    """The rows as a list with their sum, and as a file."""
    if not rows:
        st.info("No tensor has these words in its name, axes or shape; try attn, mlp, resid or 768.")
        return
    tensors(rows[:MOST_ROWS])
    if len(rows) > MOST_ROWS:
        st.caption(f"The first {exact(MOST_ROWS)}: search for the others, or take all of them as CSV.")
    left, right = st.columns([3, 1], vertical_alignment="center")
    left.caption(
        f"{exact(len(rows))} tensors, {exact(sum(row.elements for row in rows))} numbers, "
        f"{bytes_(sum(row.bytes for row in rows))} in {rows[0].dtype}. "
        "■ are parameters, ○ activations of one picture. Nothing was built for this list."
    )
    right.download_button(
        "Download as CSV", counts.csv_text(rows), f"{name}-tensors.csv", "text/csv", on_click="ignore", width="stretch"
    )


def _shape(row: TensorRow) -> str:
    return " × ".join(map(exact, row.shape))


def _text(row: TensorRow) -> str:
    return f"{row.name} {row.axes} {_shape(row)} {' '.join(map(str, row.shape))}".lower()
