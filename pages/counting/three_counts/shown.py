"""What stands on *Three ways to count*."""

import streamlit as st

from vitviz import counts
from vitviz.cards.names import lucidrains
from vitviz.config import PRESETS, ViTConfig
from vitviz.counts.formula import product, symbols
from vitviz.figures.counting import counts as charts
from vitviz.numbers import exact, percent
from vitviz.selection import Selection
from vitviz.ui import controls, page
from vitviz.ui.widgets import count_line
from vitviz.ui.widgets.comparison import SHORT
from vitviz.ui.widgets.table import table

ARTICLE = "“Understanding the Vision Transformer and counting its parameters” (Analytics Vidhya, on Medium)"
TABLE = "[table 1](https://arxiv.org/abs/2010.11929)"


def show(selection: Selection) -> None:
    config = controls.classes(selection.config)
    count_line.follow(config)
    parts = counts.itemised(config)
    ways = counts.conventions(config)
    everything, modules, _ = ways
    sources = {ways[2].name: f", as in {ARTICLE}"}
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

    st.markdown(f"**The paper** {paper(config)}")
    st.markdown(f"**Other code, other totals**: {other_code(config)}")
    slips = counts.article_slips()
    corrected = counts.conventions(PRESETS["vit_base_patch16_224"])[2].total
    st.markdown(
        f"**Two slips** in {ARTICLE}, whose count is the third way, on the back of an envelope, both about "
        f"ViT-B/16. As printed it sums to {exact(corrected + sum(slip.printed - slip.count for slip in slips))}, "
        f"with both corrected to {exact(corrected)}:"
    )
    for slip in slips:
        st.markdown(
            f"- *{slip.name}*: printed as {slip.printed_numbers} = **{exact(slip.printed)}**; its own formula, "
            f"{slip.formula}, gives {slip.numbers} = **{exact(slip.count)}**: {slip.reason}."
        )
    page.source(counts.itemised, counts.conventions)


def paper(config: ViTConfig) -> str:
    """How the paper rounds a model of this depth and width, and which models that fits."""
    rounded = counts.paper_figure(config)
    if not rounded:
        return f"has no model of this depth and width in {TABLE}."
    sizes = {
        f"{SHORT[name]} {words}": counts.total_parameters(preset.with_(classes=classes))
        for name, preset in PRESETS.items()
        if counts.paper_figure(preset) == rounded and not preset.distilled
        for classes, words in ((1000, "with 1,000 classes"), (0, "without a head"))
    }
    fits, others = (
        ", ".join(f"{name} ({exact(count)})" for name, count in sizes.items() if (round(count, -6) == rounded) is fit)
        for fit in (True, False)
    )
    return (
        f"rounds models of this depth and width to {rounded // 1_000_000} M ({TABLE}), which fits {fits}, not {others}."
    )


def other_code(config: ViTConfig) -> str:
    """What vit-pytorch counts at these sizes, and what of this model it cannot say."""
    code, numbers = lucidrains(config), symbols(config)
    lost = sorted(set(code.otherwise) - set(lucidrains(ViTConfig()).otherwise))  # beside its own ways
    without = f" It has no argument for this model's {', '.join(lost).replace('_', ' ')}." if lost else ""
    assert code.parameters is not None
    biases = f", {product('(qkv head dh)', numbers)} less in each block" if config.qkv_bias else ", as here"
    return (
        "models in the style of [vit-pytorch](https://github.com/lucidrains/vit-pytorch) have patch norms, "
        f"2·p²·c + 2·d more, and no bias of q, k and v{biases}. "
        f"With these sizes that makes {exact(code.parameters)}.{without} {code.note}".rstrip()
    )
