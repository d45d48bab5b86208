"""Overview: the whole model on one screen, each stage with a live picture."""

from typing import Any

import numpy as np

from vitviz import palette
from vitviz.config import ViTConfig
from vitviz.ui.board.address import Address
from vitviz.ui.board.parcels import Arrays
from vitviz.ui.board.scene import Parcels, Scene
from vitviz.ui.results import measure
from vitviz.ui.selection import Selection
from vitviz.ui.sidebar.samples import samples


def _moments(config: ViTConfig) -> tuple[str, ...]:
    result = "an answer" if config.classes else "a vector"
    return (
        "This is a Vision Transformer. Choose a picture.",
        f"A picture goes in, {result} comes out. What happens between?",
    )


def _parcels(selection: Selection, address: Address) -> Parcels:
    yield "overview", lambda: _stages(selection)


def _facts(selection: Selection) -> dict[str, Any]:
    """The samples in the order of the sidebar, and which of them is chosen."""
    return {"samples": list(samples().titles.items()), "sample": selection.picture.id}


def _stages(selection: Selection) -> Arrays:
    from vitviz.measures import tokens
    from vitviz.measures.classes import logit_lens
    from vitviz.ui.widgets.readout import maps_by_layer

    maps = np.asarray(maps_by_layer(selection), np.float32)
    return {
        "tokens": measure(selection, tokens.token_components, 3).coordinates,
        "positions": measure(selection, tokens.position_components, 3).coordinates,
        "maps": maps.reshape(len(maps), -1),
        "lens": measure(selection, logit_lens).astype(np.float32),
    }


SCENE = Scene(
    label="Photo",
    colour=palette.RESIDUAL,
    shape=lambda config: f"{config.image_size} × {config.image_size} × {config.channels}",
    moments=_moments,
    parcels=_parcels,
    facts=_facts,
)
