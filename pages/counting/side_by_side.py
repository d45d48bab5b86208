"""Side by side: two models, field by field, and their cards to one scale."""

import streamlit as st

from vitviz import counts
from vitviz.config import PRESETS
from vitviz.figures import models as figures
from vitviz.numbers import exact
from vitviz.ui import page
from vitviz.ui.links import escaped
from vitviz.ui.selection import current
from vitviz.ui.widgets import comparison

selection = current()
config = selection.config
page.sentence(
    "The model on screen beside another: what is larger, and how many times? On the cards every number of every "
    "matrix has the same area, so a card that is larger is a model that is larger."
)
names = list(PRESETS)
second = st.selectbox(
    "Beside it", names, names.index("vit_huge_patch14_224"), key="beside", bind="query-params", width=420
)
models = {selection.model.name: config, second: PRESETS[second]}
cards = comparison.cards(models)
page.drawing(
    figures.cards(cards, framed=[comparison.SHORT.get(name, name) for name in models]),
    "The matrices of all blocks to one scale, one row per block: on the left those of attention, 4 · d · d numbers, on "
    "the right those of the MLP, 2 · d · m. "
    f"Framed: {' and '.join(map(escaped, models))}. Numbers under the cards count all parameters.",
)
comparison.pair(models)
page.formula(
    r"\text{area of a card} = \text{depth} \cdot (4 d^2 + 2 d m)",
    rf"{config.depth} \cdot (4 \cdot {config.dim}^2 + 2 \cdot {config.dim} \cdot {config.mlp_dim}) = "
    rf"{exact(config.depth * (4 * config.dim**2 + 2 * config.dim * config.mlp_dim))}",
)
page.source(figures.cards, counts.total_parameters)
