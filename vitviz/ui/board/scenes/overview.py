"""Overview: the whole model on one screen, each stage with a live picture."""

import numpy as np

from vitviz import palette
from vitviz.config import ViTConfig
from vitviz.ui.board.address import Address
from vitviz.ui.board.parcels import Arrays
from vitviz.ui.board.scene import Parcels, Scene
from vitviz.ui.results import measure
from vitviz.ui.selection import Selection


def _moments(config: ViTConfig) -> tuple[str, ...]:
    if config.classes:
        return ("A picture goes in, an answer comes out. What happens between?",)
    return ("A picture goes in, a vector comes out. What happens between?",)


def _parcels(selection: Selection, address: Address) -> Parcels:
    yield "overview", lambda: _stages(selection)


def _stages(selection: Selection) -> Arrays:
    from vitviz.measures import tokens
    from vitviz.measures.classes import answer
    from vitviz.ui.widgets.readout import maps_by_layer

    maps = np.asarray(maps_by_layer(selection), np.float32)
    return {
        "tokens": measure(selection, tokens.token_components, 3).coordinates,
        "positions": measure(selection, tokens.position_components, 3).coordinates,
        "maps": maps.reshape(len(maps), -1),
        "answer": measure(selection, answer, selection.config.depth).probabilities,
    }


SCENE = Scene(
    label="Photo",
    colour=palette.RESIDUAL,
    shape=lambda config: f"{config.image_size} × {config.image_size} × {config.channels}",
    moments=_moments,
    parcels=_parcels,
)
