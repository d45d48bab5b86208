"""What stands on *Side by side*."""

import streamlit as st

from vitviz import counts
from vitviz.config import PRESETS, ViTConfig
from vitviz.counts.formula import tex
from vitviz.figures.counting import models as charts
from vitviz.numbers import exact
from vitviz.selection import Selection, titled
from vitviz.ui import controls, page
from vitviz.ui.links import escaped
from vitviz.ui.widgets import comparison
from vitviz.ui.widgets.live.choice import words_of

from .page import OTHER


@st.fragment
def draw(name: str, config: ViTConfig) -> None:
    """The cards, and beside the model on screen the one that was clicked."""
    second = controls.held(OTHER, config)
    models = {name: config} if second == name else {name: config, second: PRESETS[second]}
    page.chart(
        charts.cards(comparison.cards({**PRESETS, name: config}), models, PRESETS, OTHER.word),
        "The models as cards",
        "One row per block: on the left the matrices of "
        f"attention, on the right those of the MLP. Framed: {' and '.join(escaped(titled(it)) for it in models)}. "
        "Numbers under the cards count all parameters.",
        "cards",
        hand="Click a card to compare the model on screen with it.",
        keeps=words_of(OTHER.word, second, OTHER.usual),
    )
    comparison.pair(models)
    page.card_links(*models.values())


def show(selection: Selection) -> None:
    config = selection.config
    draw(selection.model.name, config)
    matrices = counts.block_matrices(config)
    page.formula(
        rf"\text{{area of a card}} = \mathit{{depth}}\,({' + '.join(tex(it.formula) for it in matrices)})",
        rf"{config.depth} \cdot ({' + '.join(tex(it.numbers) for it in matrices)}) = "
        f"{exact(config.depth * sum(it.count for it in matrices))}",
    )
    page.source(charts.cards, counts.total_parameters)
