"""What stands on *Parameters*."""

import streamlit as st

from vitviz import counts, palette
from vitviz.config import PRESETS, ViTConfig
from vitviz.counts.formula import tex
from vitviz.figures.counting import counts as charts
from vitviz.numbers import exact, percent, short
from vitviz.selection import Selection
from vitviz.ui import page
from vitviz.ui.widgets.table import table

WORDS = 30_522  # in the vocabulary of the published BERT, uncased; its paper rounds it to 30,000
MATRICES = {
    "q k v projections": ("q k v", palette.ATTENTION),
    "output projection": ("Wₒ", palette.OUTPUT),
    "MLP": ("MLP", palette.MLP),
}  # of a block: what each is called, and its colour


def show(selection: Selection) -> None:
    config = selection.config
    steps = counts.steps(config)
    total = sum(step.count for step in steps)

    largest = max(counts.parameter_split(config), key=lambda item: item.count)
    page.chart(
        charts.mosaic(counts.columns(config), config.dim),
        "The parameters to scale",
        f"All {exact(total)} parameters in the order of the forward pass; every area is to scale. "
        f"Most sit in: {largest.name}, {exact(largest.count)} ({percent(largest.count / total)}).",
        "mosaic",
    )
    table(
        "Parameters of each step",
        ["Step", "Formula", "With this model's numbers", "Once", "Times", "Parameters"],
        [[it.name, it.formula, it.numbers, exact(it.once), f"× {it.times}", exact(it.count)] for it in steps],
        words=(0, 1, 2),
        total=["All steps", "", "", "", "", exact(total)],
        colours=[palette.STAGES[step.kind] for step in steps],
        lights=[step.kind for step in steps],
    )
    squares(config)
    text_model(config)
    page.link("build_a_vit", "Change any size, and see what moves: Build a ViT →")
    models = {"this model": config} if config not in PRESETS.values() else {}
    models |= PRESETS
    page.chart(
        charts.totals(
            [(name, {it.name: it.count for it in counts.parameter_split(it)}) for name, it in models.items()],
            "parameters",
        ),
        "The presets to one scale",
        f"The presets to one scale, from {short(min(map(counts.total_parameters, models.values())))} "
        f"to {short(max(map(counts.total_parameters, models.values())))} parameters.",
        "presets",
    )
    table(
        "The presets side by side",
        ["Model", "Parameters", "MACs", "Tokens", "dim", "Depth", "Heads", "MLP"],
        [
            [
                name,
                exact(counts.total_parameters(it)),
                short(counts.total_macs(it)),
                *map(exact, (it.tokens, it.dim, it.depth, it.heads, it.mlp_dim)),
            ]
            for name, it in models.items()
        ],
        marked=list(models.values()).index(config),
    )
    block = counts.block_split(config)
    page.formula(
        r"\text{one block} = "
        + " + ".join(rf"\underbrace{{{tex(it.formula)}}}_{{\text{{{it.name}}}}}" for it in block),
        rf"{' + '.join(exact(it.count) for it in block)} = {exact(sum(it.count for it in block))} \quad "
        rf"d = {exact(config.dim)},\ m = {exact(config.mlp_dim)}",
    )
    page.source(counts.steps, counts.parameter_split)


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
    embedding, biased = split["patch embedding"], " with its bias" if config.patch_bias else ""
    words = {"vocabulary": WORDS * d} | {it.name: config.depth * it.count for it in block}
    page.chart(
        charts.totals(
            [("this model", split), (f"a text model of {config.depth} such blocks", words)],
            "parameters",
            colours=palette.STAGES | {"vocabulary": palette.PATCH},
        ),
        "Beside a text model",
        f"A word looks a row of its table up, V · d = {exact(WORDS)} · {exact(d)} = {exact(WORDS * d)} numbers with "
        f"the vocabulary of the published BERT; a patch is multiplied by a matrix, {exact(embedding)}{biased}, "
        f"{short(WORDS * d / embedding)} times fewer. From then on both are t × d, and the blocks are the same: "
        f"depth · ({' + '.join(it.formula for it in block)}) + V · d = {exact(sum(words.values()))}. Its output may be "
        "that table once more, as in the Transformer's paper; a head for classes has no such twin.",
        "text-model",
    )
