"""The drawers of *Overview*: details, formula and code."""

import streamlit as st

from vitviz import counts, equations, numbers
from vitviz.board.readout import reader
from vitviz.config import ViTConfig
from vitviz.measures.attention import class_attention
from vitviz.measures.classes import answer
from vitviz.measures.tokens import token_components
from vitviz.pages import PAGES
from vitviz.selection import Selection
from vitviz.ui import page
from vitviz.ui.widgets import predictions
from vitviz.ui.widgets.table import table

from . import lineage

# The stages in the order of the forward pass, each with the one that it holds.
STAGES = {
    "patches": "",
    "patch_embedding": "",
    "position_embedding": "",
    "attention": "",
    "block": "attention",
    "blocks": "block",
    "head": "",
}


def show(selection: Selection) -> None:
    config = selection.config
    rows, columns = config.grid
    reads = reader(config)

    if page.drawer("details"):
        predictions.warn(selection)
        _stages(config)
        st.caption(
            f"From the crop in {rows} × {columns} patches to the most probable of {numbers.exact(config.classes)} "
            f"classes; of {config.depth} blocks each has parameters of its own."
        )
        lineage.transformer(config)
        lineage.relatives()

    if page.drawer("formula"):
        parts = [
            counts.count_line(config, stage).here
            for stage in ("patch_embedding", "position_embedding", "block", "head")
        ]
        embedding, position, block, head = (numbers.exact(part) for part in parts)
        read = reads.formula.replace(r"\mathbf z", r"\mathbf z_L")
        page.formula(
            r"\begin{aligned} "
            + r" \\ ".join(
                [
                    rf"\mathbf z_0 &= {equations.embedded(config)}",
                    *equations.block(config),
                    rf"\mathbf y &= \operatorname{{head}}({read})",
                ]
            )
            + r" \end{aligned}",
            rf"\underbrace{{{embedding}}}_\text{{patches}} + \underbrace{{{position}}}_\text{{positions}} + "
            rf"\underbrace{{{config.depth} \cdot {block}}}_\text{{blocks}} + \underbrace{{{head}}}_\text{{head}} = "
            rf"{numbers.exact(counts.total_parameters(config))}\ \text{{parameters}}",
        )

    if page.drawer("code"):
        page.source(
            "ViT.forward", "ViT.embed", "Block.forward", "ViT.classify", token_components, class_attention, answer
        )


def _stages(config: ViTConfig) -> None:
    """What leaves every stage, and what it has to learn, with links to the pages that show it."""
    rows, colours = [], []
    for stage, part in STAGES.items():
        entries = [entry for entry in PAGES.values() if entry.on_board and entry.stage == stage]
        line = counts.count_line(config, stage)
        each = f"{part} {numbers.short(counts.count_line(config, part).here)}" if part else ""
        pages = {entry.title: page.address(entry.stem) for entry in entries}
        rows.append((pages, " × ".join(map(numbers.exact, line.shape_out)), numbers.exact(line.here), each))
        colours.append(entries[0].colour)
    head = ("stage", "leaves it", "parameters", "of which each")
    table("The stages in the order of the forward pass", head, rows, colours=colours)
