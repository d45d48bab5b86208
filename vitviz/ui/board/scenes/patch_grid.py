"""Patch grid: the picture falls into patches, the patches into a sequence, and a patch into numbers."""

from typing import Any

from vitviz import palette
from vitviz.config import ViTConfig
from vitviz.counts.scaling.patch_sizes import patch_sizes
from vitviz.numbers import exact, short
from vitviz.ui import results
from vitviz.ui.board.address import Address
from vitviz.ui.board.scene import Parcels, Scene
from vitviz.ui.results import measure
from vitviz.ui.selection import Selection

SIZES = (32, 16, 8, 4)  # patch sizes that are compared, where they divide the picture


def _moments(config: ViTConfig) -> tuple[str, ...]:
    rows, columns = config.grid
    p, colours = config.patch_size, "1 colour" if config.channels == 1 else f"{config.channels} colours"
    return (
        f"The model does not see a picture. It sees {exact(config.patches)} squares: the {{patch}}es.",
        f"Row by row, {rows} × {columns} {{patch}}es become a sequence of {exact(config.patches)}.",
        f"A {{patch}} is {p} × {p} pixels of {colours}: {exact(config.patch_values)} numbers.",
        "Half the patch size: four times the tokens, sixteen times the attention weights.",
    )


def _parcels(selection: Selection, address: Address) -> Parcels:
    from vitviz.measures.tokens import embedded

    yield "patches", lambda: {"normalised": measure(selection, embedded, "patches")}


def _facts(selection: Selection) -> dict[str, Any]:
    """How pixels are normalised, and what other patch sizes would cost."""
    config = selection.config
    preprocess = results.loaded(selection.model).preprocess
    costs = {cost.patch_size: cost for cost in patch_sizes(config)}
    return {
        "mean": preprocess.mean,
        "std": preprocess.std,
        "sizes": [
            {
                "size": size,
                "tokens": exact(cost.tokens),
                "weights": exact(cost.attention_weights),
                "parameters": exact(cost.parameters),
                "macs": short(cost.macs),
            }
            for size in dict.fromkeys((*SIZES, config.patch_size))
            if (cost := costs.get(size))
        ],
    }


SCENE = Scene(
    label="Patches",
    colour=palette.PATCH,
    shape=lambda config: f"{exact(config.patches)} × {exact(config.patch_values)}",
    moments=_moments,
    parcels=_parcels,
    facts=_facts,
)
