"""What a block's parameters come to: twelve squares, a rule of thumb, and a text model of the same blocks."""

import streamlit as st

from vitviz import counts, palette
from vitviz.charts import counts as charts
from vitviz.config import ViTConfig
from vitviz.counts.totals import mlp_matrices
from vitviz.numbers import exact, percent, short
from vitviz.ui import page

WORDS = 30_522  # in the vocabulary of the published BERT, uncased; its paper rounds it to 30,000
BLOCK = ("attention", "MLP", "layer norms", "layer scale")


def squares(config: ViTConfig) -> None:
    """The matrices of a block, one high as d, and how much of the model 12·d² for each block is."""
    d, m, total = config.dim, config.mlp_dim, counts.total_parameters(config)
    width = config.heads * config.head_dim
    matrices = [("q k v", 3 * width, palette.ATTENTION), ("Wₒ", width, palette.OUTPUT)]
    matrices += [("MLP", mlp_matrices(config) * m, palette.MLP)]
    areas = " + ".join(f"{columns / d:g}" for _, columns, _ in matrices)
    block = sum(it.count for it in counts.block_split(config))
    rule = 12 * config.depth * d * d
    page.chart(
        charts.squares(matrices, d),
        "The matrices of one block",
        f"The matrices of one block as squares of d · d = {exact(d * d)} numbers: {areas} = "
        f"{sum(columns for _, columns, _ in matrices) / d:g}. With biases and norms a block of the paper has 12·d² + "
        f"13·d; this one has {exact(block)}, and 12·d² is {exact(12 * d * d)}, {percent(12 * d * d / block)} of it.",
        "squares",
    )
    st.markdown(
        f"**How good is 12 · depth · d²?** Here {exact(rule)} for {exact(total)} parameters, {percent(rule / total)}. "
        "What it leaves out grows with d, not with d²: biases and norms are 13 / (12·d) of a block, "
        + ", ".join(f"{percent(13 / (12 * wide))} at d = {exact(wide)}" for wide in (192, 768, 1280))
        + "."
    )


def text_model(config: ViTConfig) -> None:
    """The same blocks behind a vocabulary."""
    d, split = config.dim, {it.name: it.count for it in counts.parameter_split(config)}
    blocks = {name: count for name, count in split.items() if name in BLOCK}
    made = split["patch embedding"]
    words = {"vocabulary": WORDS * d} | blocks
    page.chart(
        charts.totals(
            [("this model", split), (f"a text model of {config.depth} such blocks", words)],
            "parameters",
            colours=palette.STAGES | {"vocabulary": palette.PATCH},
        ),
        "Beside a text model",
        f"A word looks a row of its table up, V · d = {exact(WORDS)} · {exact(d)} = {exact(WORDS * d)} numbers with "
        f"the vocabulary of the published BERT; a patch is multiplied by a matrix, {exact(made)} with its bias, "
        f"{short(WORDS * d / made)} times fewer. From then on both are t × d, and the blocks are the same: "
        "depth · (12·d² + 13·d) + V · d.",
        "text-model",
    )
