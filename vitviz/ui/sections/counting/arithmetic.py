"""Self-attention beside recurrence and convolution: a table of orders, and the lines that cross."""

import streamlit as st

from vitviz import counts, palette
from vitviz.config import ViTConfig
from vitviz.figures.growth import curves
from vitviz.numbers import exact, short
from vitviz.ui import page
from vitviz.ui.links import check_number
from vitviz.ui.widgets.table import table

STYLES = {"self-attention": "solid", "recurrence": "dash", "convolution": "dot"}
DOUBLINGS = 15  # the sequence is drawn from 1 token to 2 to this power


def show(config: ViTConfig) -> None:
    """One layer of each kind over the same n tokens of dim d; k is the width of the convolution."""
    check_number("kernel", 1, 15)
    kernel = st.slider("Width k of the convolution", 1, 15, 3, key="kernel", bind="query-params")
    layers = counts.complexity(config, kernel)
    table(
        "Orders of growth of three kinds of layer",
        ["Layer", "Operations", "With this model's numbers", "In a row", "Longest path"],
        [
            [
                it.name,
                short(it.operations),
                f"{it.formula} = {it.numbers}",
                f"{it.waiting_formula} = {exact(it.waiting)}" if it.waiting > 1 else "1",
                f"{it.path_formula} = {exact(it.path)}" if it.path > 1 else "1",
            ]
            for it in layers
        ],
        words=(0, 2),
    )
    lengths = [2**power for power in range(DOUBLINGS + 1)]
    lines = [counts.complexity(config, kernel, tokens=n) for n in lengths]
    page.drawing(
        curves(
            lengths,
            [
                (it.name, [line[at].operations for line in lines], palette.LAYERS[it.name], STYLES[it.name])
                for at, it in enumerate(layers)
            ],
            (config.tokens, layers[0].operations),
            "tokens n",
            unit="operations",
            log=True,
        ),
        f"Self-attention takes fewer operations than recurrence while n < d, here {exact(config.tokens)} against "
        f"{exact(config.dim)}, and fewer than a convolution of width {kernel} while n < k·d = "
        f"{exact(kernel * config.dim)}. In a row: operations that must wait for each other. Longest path: layers "
        "between the two tokens furthest apart. Orders leave constants out "
        "([Vaswani et al. 2017, table 1](https://arxiv.org/abs/1706.03762)).",
    )
