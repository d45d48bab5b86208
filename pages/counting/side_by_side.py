"""Side by side: two models, field by field, and the cards of all to one scale."""

import streamlit as st

from vitviz import counts
from vitviz.charts import models as charts
from vitviz.config import PRESETS, ViTConfig
from vitviz.numbers import exact
from vitviz.ui import page
from vitviz.ui.links import check_choice, escaped
from vitviz.ui.selection import current
from vitviz.ui.widgets import comparison
from vitviz.ui.widgets.live.choice import chosen, kept

USUAL = "vit_huge_patch14_224"


@st.fragment
def show(name: str, config: ViTConfig) -> None:
    """The cards, and beside the model on screen the one that was clicked."""
    check_choice("beside", PRESETS, ", ".join(PRESETS))
    second = chosen("beside", list(PRESETS), USUAL)
    models = {name: config, second: PRESETS[second]}
    page.chart(
        charts.cards(comparison.cards({**PRESETS, name: config}), models, PRESETS, "beside"),
        "The models as cards",
        "One row per block: on the left the matrices of "
        f"attention, on the right those of the MLP. Framed: {' and '.join(map(escaped, models))}. "
        "Numbers under the cards count all parameters.",
        "cards",
        hand="Click a card to compare the model on screen with it.",
        keeps=kept("beside", second, USUAL),
    )
    comparison.pair(models)
    page.card_links(*models.values())


selection = current()
config = selection.config
page.sentence(
    "The model on screen beside another: what is larger, and how many times? On the cards every number of every "
    "matrix has the same area, so a card that is larger is a model that is larger."
)
show(selection.model.title, config)
page.formula(
    r"\text{area of a card} = \text{depth} \cdot (4 d^2 + 2 d m)",
    rf"{config.depth} \cdot (4 \cdot {config.dim}^2 + 2 \cdot {config.dim} \cdot {config.mlp_dim}) = "
    rf"{exact(config.depth * (4 * config.dim**2 + 2 * config.dim * config.mlp_dim))}",
)
page.source(charts.cards, counts.total_parameters)
