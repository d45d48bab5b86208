"""The drawers of *Overview*: details, formula and code."""

import streamlit as st

from vitviz import counts, numbers
from vitviz.equations import stream
from vitviz.measures.attention import class_attention
from vitviz.measures.classes import answer
from vitviz.measures.tokens import token_components
from vitviz.ui import page
from vitviz.ui.selection import current
from vitviz.ui.widgets import predictions
from vitviz.ui.widgets.readout import maps_by_layer, reader

from . import lineage, stages


def show() -> None:
    """Draw it."""
    selection = current()
    config = selection.config
    rows, columns = config.grid
    reads = reader(config)

    if page.drawer("details"):
        maps = maps_by_layer(selection)
        predictions.warn(selection)
        stages.draw(selection)
        st.caption(
            f"From the crop in {rows} × {columns} patches to the most probable of {numbers.exact(config.classes)} "
            "classes. Colours of tokens and positions: their first three principal components as red, green and blue. "
            f"Attention: what {reads.looks} at in layer {config.depth}, mean over the heads; light grows with the "
            f"root of the weight, which is {numbers.small(maps[-1].max())} where it is brightest. Depth: the same in "
            f"every layer, on one scale from 0 to {numbers.small(maps.max())}."
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
                    rf"\mathbf z_0 &= {stream.embedded(config)}",
                    *stream.block(config),
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
