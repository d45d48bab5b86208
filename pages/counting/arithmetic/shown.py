"""What stands on *Arithmetic*."""

from collections.abc import Iterator

import streamlit as st

from vitviz import counts, palette
from vitviz.config import PRESETS, ViTConfig
from vitviz.counts import Complexity, formula
from vitviz.counts.parts import products
from vitviz.figures.counting import counts as charts
from vitviz.figures.counting.growth import curves
from vitviz.figures.figure import Handle, Stop
from vitviz.figures.marks import Dash
from vitviz.numbers import exact, percent, short
from vitviz.selection import Selection, titled
from vitviz.ui import controls, page
from vitviz.ui.widgets.comparison import SHORT
from vitviz.ui.widgets.live.choice import words_of
from vitviz.ui.widgets.table import table

from .page import KERNEL, SEQUENCE

STYLES: dict[str, Dash] = {"self-attention": "solid", "recurrence": "dash", "convolution": "dot"}
ATTENTION = ("attn.scores", "attn.kv", "attn.z")  # what its products make


def show(selection: Selection) -> None:
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
    st.caption(other_figures(config))
    for latex, numbers in in_a_block(config):
        page.formula(latex, numbers)

    st.subheader("Beside recurrence and convolution", anchor=False)
    calculator(config)
    page.source(counts.mac_split, counts.complexity)


@st.fragment
def calculator(config: ViTConfig) -> None:
    """One layer of each kind over the same n tokens of dim d; k is the width of the convolution."""
    left, right = st.columns([3, 7])
    with left:
        kernel = controls.draw(KERNEL, config)
    lengths = list(SEQUENCE.few({}, config).values())
    n: int = controls.held(SEQUENCE, config, lengths)
    lines = [counts.complexity(config, kernel, tokens=length) for length in lengths]
    layers = lines[lengths.index(n)]
    handle = Handle(
        SEQUENCE.word,
        SEQUENCE.label,
        tuple(
            Stop(str(length), length, line[0].operations, _caption(length, line))
            for length, line in zip(lengths, lines, strict=True)
        ),
        lengths.index(n),
    )
    with right:
        page.chart(
            curves(
                lengths,
                [
                    (it.name, [line[at].operations for line in lines], palette.LAYERS[it.name], STYLES[it.name])
                    for at, it in enumerate(layers)
                ],
                handle,
                "tokens n",
                unit="operations",
                log=True,
                now=(config.tokens, lines[lengths.index(config.tokens)][0].operations),
                marks=[(config.dim, "n = d")],
            ),
            "Operations of each kind of layer",
            "The ring is the model on screen. Orders leave constants out "
            "([Vaswani et al. 2017, table 1](https://arxiv.org/abs/1706.03762)).",
            "orders",
            hand="Drag the diamond along n.",
            keeps=words_of(SEQUENCE.word, n, config.tokens),
        )
    left.markdown(
        f"Self-attention takes fewer operations than recurrence while n < d = {exact(config.dim)}, and fewer than a "
        f"convolution of width {kernel} while n < k·d = {exact(kernel * config.dim)}."
    )
    left.caption(
        "In a row: operations that must wait for each other. Longest path: layers between the two tokens furthest "
        "apart; ⌈ ⌉ is rounded up to whole layers."
    )
    table(
        "Orders of growth of three kinds of layer",
        ["Layer", "Operations", "With these numbers", "In a row", "Longest path"],
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
        colours=[palette.LAYERS[it.name] for it in layers],
        lights=[it.name for it in layers],
    )


def other_figures(config: ViTConfig) -> str:
    """What other counters say of the same model, in words."""
    total = counts.total_macs(config)
    sentences = []
    if normed := counts.layer_normed(config):
        sentences.append(f"{exact(total + 5 * normed)} where every number that a layer norm sees counts as 5 (fvcore)")
    if hidden := counts.fused_macs(config):
        sentences.append(f"{exact(total - hidden)} where QKᵀ and AV are hidden in fused attention and not counted")
    others = f"Other figures for the same model: {', '.join(sentences)}. " if sentences else ""
    return f"{others}In texts on latency MAC may also be memory access cost: bytes that are fetched, not products."


def in_a_block(config: ViTConfig) -> Iterator[tuple[str, str]]:
    """Formula and numbers, in LaTeX, of one projection and of each product of attention, all in one block."""
    symbols = formula.symbols(config)
    formulas = {it.kind.replace("ᵀ", "^T"): it.makes for it in products(config) if it.makes in ATTENTION}
    rows = {row.tensor.removeprefix("blocks.0."): row for row in counts.macs(config)}
    for name, tensor in {r"\text{one projection}": "attn.q", **formulas}.items():
        row = rows[tensor]
        written = dict.fromkeys(formula.tex(it) for it in (row.formula, formula.side_by_side(row.formula, symbols)))
        yield (
            rf"{name}\text{{, one block:}}\quad {' = '.join(written)}",
            f"{formula.tex(row.numbers)} = {exact(row.count)}",
        )


def _caption(tokens: int, layers: tuple[Complexity, ...]) -> str:
    return f"{exact(tokens)} tokens: " + ", ".join(f"{it.name} {short(it.operations)}" for it in layers)
