"""What stands on *Three ways to count*."""

import streamlit as st

from vitviz import counts
from vitviz.config import PRESETS
from vitviz.figures.counting import counts as charts
from vitviz.numbers import exact, percent
from vitviz.ui import controls, page
from vitviz.ui.selection import current
from vitviz.ui.widgets import count_line
from vitviz.ui.widgets.table import table

from . import section


def show() -> None:
    """Draw it."""
    config = controls.classes(current().config)
    count_line.follow(config)
    parts = counts.itemised(config)
    ways = counts.conventions(config)
    everything, modules, _ = ways
    sources = {ways[2].name: f", as in {section.ARTICLE}"}
    for column, way in zip(st.columns(len(ways)), ways, strict=True):
        column.metric(way.name.capitalize(), exact(way.total))
        column.caption(f"{way.rule[0].upper()}{way.rule[1:]}{sources.get(way.name, '')}.")

    unseen = [(it.name, it.count, ", ".join(w for w in counts.WAYS if w not in it.counted_by)) for it in parts]
    unseen = [(name, count, who) for name, count, who in unseen if who and count]
    difference = sum(count for _, count, _ in unseen)
    page.chart(
        charts.left_out(unseen),
        "What the three ways disagree about",
        f"Everything that the three ways disagree about, to one scale: {exact(difference)} of "
        f"{exact(everything.total)} parameters, {percent(difference / everything.total)}.",
        "left-out",
    )
    table(
        "What each way of counting sees",
        ["Part", *(way.name.capitalize() for way in ways), "Formula, and this model's numbers"],
        [
            [
                it.name,
                *(exact(it.count) if way.name in it.counted_by else "–" for way in ways),
                f"{it.formula} = {it.numbers}",
            ]
            for it in parts
        ],
        words=(0, 4),
        total=["Total", *(exact(way.total) for way in ways), ""],
        lights=[it.name for it in parts],
    )
    page.formula(
        " + ".join([r"\text{exact} = \text{layer table}", *(rf"\text{{{it.name}}}" for it in modules.missing)]),
        f"{exact(everything.total)} = {' + '.join(map(exact, [modules.total, *(it.count for it in modules.missing)]))}",
    )

    st.markdown(f"**The paper** {section.paper(config)}")
    st.markdown(f"**Other code, other totals**: {section.other_code(config)}")
    slips = counts.article_slips()
    corrected = counts.conventions(PRESETS["vit_base_patch16_224"])[2].total
    st.markdown(
        f"**Two slips** in {section.ARTICLE}, whose count is the third way, on the back of an envelope, both about "
        f"ViT-B/16. As printed it sums to {exact(corrected + sum(slip.printed - slip.count for slip in slips))}, "
        f"with both corrected to {exact(corrected)}:"
    )
    for slip in slips:
        st.markdown(
            f"- *{slip.name}*: printed as {slip.printed_numbers} = **{exact(slip.printed)}**; its own formula, "
            f"{slip.formula}, gives {slip.numbers} = **{exact(slip.count)}**: {slip.reason}."
        )
    page.source(counts.itemised, counts.conventions)
