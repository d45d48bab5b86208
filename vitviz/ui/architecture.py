"""The model as a row of stages: each a card with a live picture, its shape and parameters, and the way to its page."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import streamlit as st

from vitviz import counts, numbers, palette
from vitviz.figures import overview as pictures
from vitviz.figures.frame import data_uri
from vitviz.measures.attention import class_attention, mean_attention
from vitviz.measures.tokens import Components, position_components, token_components
from vitviz.ui import answer
from vitviz.ui.chapters import ENTRIES, page
from vitviz.ui.view import View

COLUMNS = 4
MOST_MAPS = 36  # as many small maps as one card can show


def draw(view: View) -> None:
    """All stages in the order of the forward."""
    st.html(f"<style>{_CSS}{_colours()}</style>")
    grid = st.grid(COLUMNS, min_column_width=150, key="architecture")
    for name, stage in STAGES.items():
        cell = grid.cell(column_span=2 if name == "head" else 1)
        with cell.container(key=f"stage-{name}", gap=None, height="stretch"):
            _links(name)
            stage.paint(view)
            _size(view, name)


def _links(name: str) -> None:
    with st.container(horizontal=True, gap="xsmall", horizontal_alignment="distribute"):
        for entry in ENTRIES:
            if entry.stage == name:
                st.page_link(page(entry), label=entry.title)


def _size(view: View, name: str) -> None:
    line = counts.ledger(view.config, name)
    shape = " × ".join(map(numbers.exact, line.shape_out))
    times = f" × {view.config.depth}" if STAGES[name].per_block and view.config.depth > 1 else ""
    warning = answer.badge(view) if name == "head" else ""
    st.html(
        f'<div class="size"><span><b title="{line.axes_out}">{shape}</b><br>'
        f"{numbers.exact(line.here)} parameters{times}</span>{warning}</div>"
    )


def _patches(view: View) -> None:
    _show(view, "The crop, cut into its patches", lambda: pictures.patches(view.crop, *view.config.grid))


def _tokens(view: View) -> None:
    _show_colours(view, "One colour per token: similar tokens look alike", view.measure(token_components, 3))


def _positions(view: View) -> None:
    _show_colours(view, "One colour per position: similar ones look alike", view.measure(position_components, 3))


def _attention(view: View) -> None:
    maps = maps_by_layer(view)
    _show(view, f"What {reader(view).looks} at in the last layer", lambda: pictures.spotlight(view.crop, maps[-1]))


def _depth(view: View) -> None:
    maps = maps_by_layer(view)
    shown = np.unique(np.linspace(0, len(maps) - 1, min(len(maps), MOST_MAPS)).round().astype(int))
    _show(view, f"What {reader(view).looks} at, layer by layer", lambda: pictures.maps(maps[shown]))


def _show_colours(view: View, alt: str, components: Components) -> None:
    _show(view, alt, lambda: pictures.tokens(components.coordinates, view.config.grid[1]))


def _show(view: View, alt: str, paint: Callable[[], pictures.Pixels]) -> None:
    st.image(_painted(f"{alt} {view.choice.key} {view.picture.digest}", paint), alt=alt)


@st.cache_resource(max_entries=200, show_spinner=False)
def _painted(key: str, _paint: Callable[[], pictures.Pixels]) -> str:
    """A card's picture as a data URI, painted once for everybody: compressing it takes time, and so does a file."""
    return data_uri(_paint())


def _block(view: View) -> None:
    heads = f"{view.config.heads} head" + "s" * (view.config.heads > 1)
    st.html(_BLOCK.format(heads=heads, mlp_dim=numbers.exact(view.config.mlp_dim)))


def _head(view: View) -> None:
    if view.config.classes:
        answer.bars(view.labels, answer.final(view).probabilities)
    else:
        st.markdown("No head: the result is the vector that a head would read.")


def maps_by_layer(view: View) -> pictures.Floats:
    """What the class token, or the mean token, looks at on the patch grid, mean over the heads: `layer gh gw`."""
    if view.config.pool == "class":
        weights = view.measure(class_attention).mean(axis=1)
    else:
        weights = view.measure(mean_attention)
    return weights[:, len(view.config.special_tokens) :].reshape(-1, *view.config.grid)


@dataclass(frozen=True, slots=True)
class Stage:
    """How a stage's card looks: its colour, its picture, and whether every block has its own of it."""

    colour: str
    paint: Callable[[View], None]
    per_block: bool = False


@dataclass(frozen=True, slots=True)
class Reader:
    """What the head reads: its name, whose attention is shown for it, and LaTeX from the last stream to the head."""

    name: str
    looks: str
    formula: str


READERS = {
    "class": Reader(
        "{class token}", "the class token looks", r"\operatorname{LN}(\mathbf z_\text{depth})_\text{class}"
    ),
    "attention": Reader(
        "pooled picture",
        "the tokens on average look",
        r"\operatorname{pool}(\operatorname{LN}(\mathbf z_\text{depth}))",
    ),
}


def reader(view: View) -> Reader:
    """How this model's answer is read off its tokens."""
    return READERS[view.config.pool]


STAGES = {
    "patches": Stage(palette.PATCH, _patches),
    "patch_embedding": Stage(palette.PATCH, _tokens),
    "position_embedding": Stage(palette.POSITION, _positions),
    "attention": Stage(palette.QUERY, _attention, per_block=True),
    "block": Stage(palette.RESIDUAL, _block, per_block=True),
    "blocks": Stage(palette.RESIDUAL, _depth),
    "head": Stage(palette.CLASS_TOKEN, _head),
}


_BLOCK = """
<div class="block">
  <div class="part"><p><b>attention</b><br>{heads}</p><i>↑</i><i>↓</i></div>
  <div class="part"><p><b>MLP</b><br>{mlp_dim} wide</p><i>↑</i><i>↓</i></div>
  <div class="stream"><i></i><i>+</i><i></i><i>+</i></div>
  <small>residual stream →</small>
</div>
"""

_CSS = f"""
.st-key-architecture [class*=st-key-stage-] {{ position: relative; padding: .25rem .6rem .4rem; gap: .2rem;
  border: 1px solid #8886; border-top: 4px solid; border-radius: .5rem }}
.st-key-architecture [class*=st-key-stage-]:not(.st-key-stage-head)::after {{ content: "→"; position: absolute;
  right: -1rem; top: 44%; width: 1rem; text-align: center; line-height: 1 }}
.st-key-architecture a {{ padding: 0; min-height: 0 }}
.st-key-architecture a p {{ font-size: .95rem; font-weight: 600; color: var(--st-link-color); letter-spacing: -.01em }}
.st-key-architecture [data-testid=stHorizontalBlock] > :first-child {{ position: static }}
.st-key-architecture [data-testid=stHorizontalBlock] > :first-child a::after {{ content: ""; z-index: 1;
  position: absolute; inset: 0 }}
.st-key-architecture [data-testid=stHorizontalBlock] > :not(:first-child) {{ z-index: 2 }}
.st-key-architecture [class*=st-key-stage-]:hover {{ background: #8881 }}
.st-key-architecture [data-testid=stElementToolbar] {{ display: none }}
.st-key-architecture img {{ height: 6.7rem; width: 100%; object-fit: contain; border-radius: 0 }}
.st-key-architecture .size {{ display: flex; justify-content: space-between; align-items: center; gap: .8rem;
  line-height: 1.3; font-size: .85rem; font-variant-numeric: tabular-nums }}
.st-key-architecture .size b {{ font-size: 1rem }}
.st-key-architecture .size span:first-child {{ flex: none }}
.st-key-architecture [data-testid=stHorizontalBlock] {{ row-gap: 0 }}
.st-key-architecture ol {{ height: 6.7rem }}
.block {{ min-height: 6.7rem; display: grid; grid-template-columns: 1fr 1fr; gap: 0 .4rem; line-height: 1.2;
  font-size: .82rem; text-align: center; align-content: center }}
.block i {{ font-style: normal }}
.block .part {{ display: flex; flex-wrap: wrap; justify-content: space-around }}
.block p {{ flex: 100%; margin: 0; padding: .35rem 0; border: 2px solid {palette.RESIDUAL}; border-radius: .4rem }}
.block .stream {{ grid-column: span 2; display: flex; justify-content: space-around; align-items: center;
  height: 1.1rem; background: linear-gradient({palette.RESIDUAL} 0 0) center / 100% 4px no-repeat }}
.block .stream i {{ width: 1.1rem; line-height: 1 }}
.block .stream i:nth-child(even) {{ border: 2px solid {palette.RESIDUAL}; border-radius: 50%; line-height: .85;
  height: 1.1rem; background: var(--st-background-color) }}
.block small {{ grid-column: span 2; font-size: inherit }}
"""


def _colours() -> str:
    return "".join(
        f".st-key-architecture .st-key-stage-{name} {{ border-top-color: {stage.colour} }}"
        for name, stage in STAGES.items()
    )
