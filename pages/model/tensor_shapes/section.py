"""The list of all tensors: chosen by kind, searched by any word, and taken away as CSV."""

import streamlit as st

from vitviz import counts
from vitviz.config import ViTConfig
from vitviz.counts import TensorRow
from vitviz.numbers import bytes_, exact
from vitviz.ui import controls
from vitviz.ui.widgets.live.tensors import tensors

from .page import FIND, KIND

MOST_ROWS = 1500  # of the list; a browser slows down with more
DTYPES = {"fp32": "float32", "bf16": "bfloat16", "fp16": "float16"}


def chosen(config: ViTConfig, precision: str) -> list[TensorRow]:
    """Controls for kind and search; the rows that they leave, every word of the search in name, axes or shape."""
    left, right = st.columns(2, vertical_alignment="bottom")
    with left:
        kind = controls.draw(KIND, config)
    with right:
        wanted = controls.draw(FIND, config, placeholder="attn.q   blocks.3.   head t dh")
    rows = [row for row in counts.tensors(config, DTYPES[precision]) if kind in ("", row.kind)]
    return [row for row in rows if all(word in _text(row) for word in wanted.lower().split())]


def show(rows: list[TensorRow], name: str) -> None:
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
