"""What a block's parameters come to: twelve squares, a rule of thumb, and a text model of the same blocks."""

import streamlit as st

from vitviz import counts, palette
from vitviz.config import ViTConfig
from vitviz.figures.counting import counts as charts
from vitviz.numbers import exact, percent, short
from vitviz.ui import page

WORDS = 30_522  # in the vocabulary of the published BERT, uncased; its paper rounds it to 30,000
MATRICES = {
    "q k v projections": ("q k v", palette.ATTENTION),
    "output projection": ("Wₒ", palette.OUTPUT),
    "MLP": ("MLP", palette.MLP),
}  # of a block: what each is called, and its colour


def squares(config: ViTConfig) -> None:
    """The matrices of a block, one high as d, and how much of the model 12·d² for each block is."""
    d, total = config.dim, counts.total_parameters(config)
    made = counts.block_matrices(config, lambda part: part.kind if part.kind == "MLP" else part.step)
    matrices = [(*MATRICES[it.name], it.count // d) for it in made]
    areas = " + ".join(f"{columns / d:g}" for *_, columns in matrices)
    block = sum(it.count for it in counts.block_split(config))
    rule = 12 * config.depth * d * d
    page.chart(
        charts.squares(matrices, d),
        "The matrices of one block",
        f"The matrices of one block as squares of d · d = {exact(d * d)} numbers: {areas} = "
        f"{sum(columns for *_, columns in matrices) / d:g}. With biases and norms a block of the paper has 12·d² + "
        f"13·d; this one has {exact(block)}, and 12·d² is {exact(12 * d * d)}, {percent(12 * d * d / block)} of it.",
        "squares",
    )
    st.markdown(
        f"**How good is 12 · depth · d²?** Here {exact(rule)} for {exact(total)} parameters, {percent(rule / total)}. "
        "What it leaves out of the paper's models grows with d, not with d²: biases and norms are 13 / (12·d) of a "
        "block, " + ", ".join(f"{percent(13 / (12 * wide))} at d = {exact(wide)}" for wide in (192, 768, 1280)) + "."
    )


def text_model(config: ViTConfig) -> None:
    """The same blocks behind a vocabulary."""
    d, split = config.dim, {it.name: it.count for it in counts.parameter_split(config)}
    block = counts.block_split(config)
    made, biased = split["patch embedding"], " with its bias" if config.patch_bias else ""
    words = {"vocabulary": WORDS * d} | {it.name: config.depth * it.count for it in block}
    page.chart(
        charts.totals(
            [("this model", split), (f"a text model of {config.depth} such blocks", words)],
            "parameters",
            colours=palette.STAGES | {"vocabulary": palette.PATCH},
        ),
        "Beside a text model",
        f"A word looks a row of its table up, V · d = {exact(WORDS)} · {exact(d)} = {exact(WORDS * d)} numbers with "
        f"the vocabulary of the published BERT; a patch is multiplied by a matrix, {exact(made)}{biased}, "
        f"{short(WORDS * d / made)} times fewer. From then on both are t × d, and the blocks are the same: "
        f"depth · ({' + '.join(it.formula for it in block)}) + V · d = {exact(sum(words.values()))}. Its output may be "
        "that table once more, as in the Transformer's paper; a head for classes has no such twin.",
        "text-model",
    )
