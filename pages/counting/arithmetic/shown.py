"""What stands on *Arithmetic*."""

import streamlit as st

from vitviz import counts, palette
from vitviz.config import PRESETS
from vitviz.figures.counting import counts as charts
from vitviz.numbers import exact, percent, short
from vitviz.ui import page
from vitviz.ui.selection import current, titled
from vitviz.ui.widgets.comparison import SHORT
from vitviz.ui.widgets.table import table

from . import section


def show() -> None:
    """Draw it."""
    selection = current()
    config = selection.config
    products = counts.mac_split(config)
    total = sum(item.count for item in products)
    kinds = counts.overtaking(config).kinds
    named = " and ".join(kinds)
    models = {selection.model.name: config} | {name: it for name, it in PRESETS.items() if name != selection.model.name}
    splits = [
        (SHORT.get(name, titled(name)), {item.name: item.count for item in counts.mac_split(it)})
        for name, it in models.items()
    ]
    squared = sum(item.count for item in products if item.name in kinds)
    grown = (
        f"{named}, the only products that grow with the square of the tokens, take {percent(squared / total)} of its"
        if kinds
        else "All of its products grow with the tokens and not with their square:"
    )
    page.chart(
        charts.totals(splits, "MAC", shares=True, named=False, beside=True),
        "Shares of all multiply-accumulates",
        f"Shares of all multiply-accumulates, this model first. {grown} {short(total)}MAC = {short(2 * total)}FLOP.",
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
    st.caption(section.other_figures(config))
    for latex, numbers in section.in_a_block(config):
        page.formula(latex, numbers)

    st.subheader("Beside recurrence and convolution", anchor=False)
    section.show(config)
    page.source(counts.mac_split, counts.complexity)
