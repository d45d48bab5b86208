"""Arithmetic: where the multiply-accumulates of one forward pass go."""

import streamlit as st

from vitviz import counts, palette
from vitviz.charts import counts as charts
from vitviz.config import PRESETS
from vitviz.numbers import exact, percent, short
from vitviz.ui import page
from vitviz.ui.sections.counting import arithmetic
from vitviz.ui.selection import current
from vitviz.ui.widgets.comparison import SHORT
from vitviz.ui.widgets.table import table

selection = current()
config = selection.config
products = counts.mac_split(config)
total = sum(item.count for item in products)

page.sentence(
    "One **MAC** is a multiply-accumulate, a·b + c: two **FLOP**. These are the matrix products of one picture's "
    "forward pass; only QKᵀ and AV compare tokens with tokens."
)
models = {selection.model.title: config} | {name: it for name, it in PRESETS.items() if name != selection.model.name}
splits = [
    (SHORT.get(name, name), {item.name: item.count for item in counts.mac_split(it)}) for name, it in models.items()
]
squared = sum(item.count for item in products if item.name in ("QKᵀ", "AV"))
page.chart(
    charts.totals(splits, "MAC", shares=True, named=False, beside=True),
    "Shares of all multiply-accumulates",
    f"Shares of all multiply-accumulates, this model first. QKᵀ and AV, the only products that grow with the square of "
    f"the tokens, take {percent(squared / total)} of its {short(total)}MAC = {short(2 * total)}FLOP.",
    "arithmetic",
)
table(
    "Multiply-accumulates of each product",
    ["Product", "MAC", "FLOP", "Share", "Formula, and this model's numbers"],
    [
        [
            it.name,
            exact(it.count),
            exact(2 * it.count),
            percent(it.count / total),
            f"{it.formula} = {it.numbers}",
        ]
        for it in products
    ],
    words=(0, 4),
    total=["All", exact(total), exact(2 * total), "", ""],
    colours=[palette.STAGES[item.name] for item in products],
    lights=[item.name for item in products],
)
normalised = config.tokens * config.dim * (2 * config.depth + 1 + config.input_norm)
st.caption(
    f"Other figures for the same model: {exact(total + 5 * normalised)} where every number that a layer norm sees "
    f"counts as 5 (fvcore), {exact(total - squared)} where QKᵀ and AV are hidden in fused attention and not counted. "
    "In texts on latency MAC may also be memory access cost: bytes that are fetched, not products."
)
for latex, count, with_numbers in (
    (r"QK^T:\quad \mathit{heads} \cdot t^2 \cdot d_h = t^2 d", config.tokens**2 * config.dim, "{t}^2 \\cdot {d}"),
    (r"\text{one projection:}\quad t\,d^2", config.tokens * config.dim**2, "{t} \\cdot {d}^2"),
):
    numbers = with_numbers.format(t=config.tokens, d=config.dim)
    page.formula(latex, f"{numbers} = {exact(count)}")

st.subheader("Beside recurrence and convolution", anchor=False)
arithmetic.show(config)
page.source(counts.mac_split, counts.complexity)
