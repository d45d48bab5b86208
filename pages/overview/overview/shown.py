"""The drawers of *Overview*: details, formula and code."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import streamlit as st

from vitviz import counts, equations, numbers, palette, results
from vitviz.board.readout import maps_by_layer, reader
from vitviz.figures.pixels import data_uri
from vitviz.figures.tokens import overview as pictures
from vitviz.measures.attention import class_attention
from vitviz.measures.classes import answer
from vitviz.measures.tokens import Components, position_components, token_components
from vitviz.pages import PAGES
from vitviz.results import measure
from vitviz.selection import Selection
from vitviz.ui import page
from vitviz.ui.navigation import streamlit_page
from vitviz.ui.widgets import predictions

from . import lineage

COLUMNS = 4
MOST_MAPS = 36  # as many small maps as one card can show


def show(selection: Selection) -> None:
    config = selection.config
    rows, columns = config.grid
    reads = reader(config)

    if page.drawer("details"):
        maps = maps_by_layer(selection)
        predictions.warn(selection)
        draw(selection)
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


def draw(selection: Selection) -> None:
    """All stages in the order of the forward pass."""
    st.html(f"<style>{_stage_colours()}</style>")
    grid = st.grid(COLUMNS, min_column_width=150, key="architecture")
    for name, stage in STAGES.items():
        cell = grid.cell(column_span=2 if name == "head" else 1)
        with cell.container(key=f"stage-{name}", gap=None, height="stretch"):
            _links(name)
            stage.paint(selection)
            _size(selection, name)


def _links(name: str) -> None:
    with st.container(horizontal=True, gap="xsmall", horizontal_alignment="distribute"):
        for entry in PAGES.values():
            if entry.stage == name:
                st.page_link(streamlit_page(entry), label=entry.title)


def _size(selection: Selection, name: str) -> None:
    line = counts.count_line(selection.config, name)
    shape = " × ".join(map(numbers.exact, line.shape_out))
    times = (
        f" ×\N{NO-BREAK SPACE}{selection.config.depth}" if STAGES[name].per_block and selection.config.depth > 1 else ""
    )
    warning = predictions.badge(selection) if name == "head" else ""
    part = STAGES[name].holds
    each = "each " if part and STAGES[part].per_block and not STAGES[name].per_block else ""
    inside = (
        f"<br>of which {each}{part} {numbers.short(counts.count_line(selection.config, part).here)}" if part else ""
    )
    st.html(
        f'<div class="size"><span><b title="{line.axes_out}">{shape}</b><br>'
        f"{numbers.exact(line.here)} parameters{times}{inside}</span>{warning}</div>"
    )


def _patches(selection: Selection) -> None:
    _show(
        selection,
        "patches",
        "The crop, cut into its patches",
        lambda: pictures.patches(results.screen_photo(selection), *selection.config.grid),
    )


def _tokens(selection: Selection) -> None:
    alt = "One colour per token: similar tokens look alike"
    _show_colours(selection, "tokens", alt, measure(selection, token_components, 3))


def _positions(selection: Selection) -> None:
    _show_colours(
        selection,
        "positions",
        "One colour per position: similar ones look alike",
        measure(selection, position_components, 3),
    )


def _attention(selection: Selection) -> None:
    maps = maps_by_layer(selection)
    _show(
        selection,
        "attention",
        f"What {reader(selection.config).looks} at in the last layer",
        lambda: pictures.spotlight(results.screen_photo(selection), maps[-1]),
    )


def _depth(selection: Selection) -> None:
    maps = maps_by_layer(selection)
    layers = np.unique(np.linspace(0, len(maps) - 1, min(len(maps), MOST_MAPS)).round().astype(int))
    alt = f"What {reader(selection.config).looks} at, layer by layer"
    _show(selection, "depth", alt, lambda: pictures.maps(maps[layers]))


def _show_colours(selection: Selection, stage: str, alt: str, components: Components) -> None:
    _show(selection, stage, alt, lambda: pictures.tokens(components.coordinates, selection.config.grid[1]))


def _show(selection: Selection, stage: str, alt: str, paint: Callable[[], pictures.Pixels]) -> None:
    st.image(_painted(f"{stage} {selection.key}", paint), alt=alt)


@st.cache_resource(max_entries=200, show_spinner=False)
def _painted(key: str, _paint: Callable[[], pictures.Pixels]) -> str:
    """A card's picture as a data URI, painted once for everybody: compressing it takes time, and so does a file."""
    return data_uri(_paint())


def _block(selection: Selection) -> None:
    heads = f"{selection.config.heads} head" + "s" * (selection.config.heads > 1)
    st.html(_BLOCK.format(heads=heads, mlp_dim=numbers.exact(selection.config.mlp_dim)))


def _head(selection: Selection) -> None:
    if selection.config.classes:
        predictions.bars(results.labels(selection), predictions.final(selection).probabilities)
    else:
        st.markdown("No head: the result is the vector that a head would read.")


@dataclass(frozen=True, slots=True)
class Stage:
    """How a stage's card looks: its colour, its picture, whether every block has its own, and the stage it holds."""

    colour: str
    paint: Callable[[Selection], None]
    per_block: bool = False
    holds: str = ""


STAGES = {
    "patches": Stage(palette.PATCH, _patches),
    "patch_embedding": Stage(palette.PATCH, _tokens),
    "position_embedding": Stage(palette.POSITION, _positions),
    "attention": Stage(palette.ATTENTION, _attention, per_block=True),
    "block": Stage(palette.RESIDUAL, _block, per_block=True, holds="attention"),
    "blocks": Stage(palette.RESIDUAL, _depth, holds="block"),
    "head": Stage(palette.HEAD, _head),
}


_BLOCK = """
<div class="block">
  <div class="part"><p><b>attention</b><br>{heads}</p><i>↑</i><i>↓</i></div>
  <div class="part"><p><b>MLP</b><br>{mlp_dim} wide</p><i>↑</i><i>↓</i></div>
  <div class="stream"><i></i><i>+</i><i></i><i>+</i></div>
  <small>residual stream →</small>
</div>
"""


def _stage_colours() -> str:
    return "".join(
        f".st-key-architecture .st-key-stage-{name} {{ border-top-color: {stage.colour} }}"
        for name, stage in STAGES.items()
    )
