"""The list of all tensors: chosen by kind, searched by any word, and taken away as CSV."""

import streamlit as st

from vitviz import counts
from vitviz.config import ViTConfig
from vitviz.counts import TensorRow
from vitviz.numbers import bytes_, exact

KINDS = {"All in order": "", "Activations": "activation", "Parameters": "parameter"}
DTYPES = {"fp32": "float32", "bf16": "bfloat16", "fp16": "float16"}
ROW_HEIGHT = 38  # pixels; the list shows fourteen rows and scrolls
HEIGHT = 15 * ROW_HEIGHT


def chosen(config: ViTConfig, precision: str) -> list[TensorRow]:
    """Controls for kind and search; the rows that they leave, every word of the search in name, axes or shape."""
    left, right = st.columns([2, 3], vertical_alignment="bottom")
    kind = left.segmented_control(
        "Tensors", list(KINDS), default="All in order", required=True, key="tensors", bind="query-params"
    )
    wanted = right.text_input("Search", key="find", bind="query-params", placeholder="attn.q   blocks.3.   head t dh")
    rows = [row for row in counts.tensors(config, DTYPES[precision]) if KINDS[kind] in ("", row.kind)]
    return [row for row in rows if all(word in _text(row) for word in wanted.lower().split())]


def show(rows: list[TensorRow], name: str) -> None:
    """The rows as a list with their sum, and as a file."""
    if not rows:
        st.info("No tensor has these words in its name, axes or shape; try attn, mlp, resid or 768.")
        return
    st.dataframe(
        {
            "#": [row.place for row in rows],
            "name": [row.name for row in rows],
            "axes": [row.axes for row in rows],
            "shape": [_shape(row) for row in rows],
            "dtype": [row.dtype for row in rows],
            "bytes": [row.bytes for row in rows],
            "kind": [row.kind for row in rows],
        },
        height=min(HEIGHT, (len(rows) + 1) * ROW_HEIGHT + 2),
        row_height=ROW_HEIGHT,
        hide_index=True,
        column_config={
            "#": st.column_config.NumberColumn(width=60),
            "bytes": st.column_config.NumberColumn(format="%,d"),
        },
        alt=f"{len(rows)} tensors with name, axes, shape, dtype and bytes",
    )
    left, right = st.columns([3, 1], vertical_alignment="center")
    left.caption(
        f"{exact(len(rows))} tensors, {exact(sum(row.elements for row in rows))} numbers, "
        f"{bytes_(sum(row.bytes for row in rows))}. "
        "Activations are those of one picture. Nothing was built for this list."
    )
    right.download_button(
        "Download as CSV", counts.csv_text(rows), f"{name}-tensors.csv", "text/csv", on_click="ignore", width="stretch"
    )


def _shape(row: TensorRow) -> str:
    return " × ".join(map(exact, row.shape))


def _text(row: TensorRow) -> str:
    return f"{row.name} {row.axes} {_shape(row)} {' '.join(map(str, row.shape))}".lower()
