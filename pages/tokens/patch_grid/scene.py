"""Patch grid: the picture falls into patches, the patches into a sequence, and a patch into numbers."""

from io import BytesIO
from typing import Any

import numpy as np
from PIL import Image

from vitviz import results
from vitviz.board.address import Address
from vitviz.board.scene import Parcels
from vitviz.config import ViTConfig
from vitviz.config.sides import spelled, written
from vitviz.counts.scaling.complexity import cost
from vitviz.numbers import exact, short
from vitviz.results import measure, measure_embedding
from vitviz.scripts.parcels import Arrays
from vitviz.scripts.sizes import counted
from vitviz.selection import Selection

from .page import sizes_of_patches


def parcels(selection: Selection, address: Address) -> Parcels:
    from vitviz.measures.tokens import embedded

    yield "patches", lambda: {"normalised": measure_embedding(selection, embedded, "patches")}
    if address.moment == "crop":
        yield "cropping", lambda: _cropping(selection)


def _cropping(selection: Selection) -> Arrays:
    """The whole picture, as a JPEG no larger than a screen shows, and what the model says of its crop."""
    from vitviz.measures.classes import answer

    buffer = BytesIO()
    Image.fromarray(results.photo_copy(selection.picture)).save(buffer, "JPEG", quality=90)
    whole = {"picture": np.frombuffer(buffer.getvalue(), np.uint8)}
    if not selection.config.classes:
        return whole
    return whole | {"answer": measure(selection, answer, selection.config.depth).probabilities}


def facts(selection: Selection) -> dict[str, Any]:
    """How pixels are cut and normalised, and what other patch sizes would cost."""
    config = selection.config
    preprocess = results.model_info(selection.model).preprocess
    photo = results.photo(selection.picture)
    return {
        "mean": preprocess.mean,
        "std": preprocess.std,
        "size": photo.size,
        "seen": preprocess.box(photo, selection.crop),
        "sizes": [_size(it, it == config) for it in sizes_of_patches(config).values()],
    }


def _size(config: ViTConfig, own: bool) -> dict[str, Any]:
    """What one patch size costs; `tried` is its name in the address."""
    it = cost(config)
    return {
        "tried": "own" if own else written(config.patch_size),
        "size": spelled(config.patch_size),
        "rows": config.grid[0],
        "columns": config.grid[1],
        "patches": config.patches,
        "tokens": exact(it.tokens),
        "weights": exact(it.attention_weights),
        "parameters": exact(it.parameters),
        "macs": short(it.macs),
        "count": counted(config, "patches"),
    }
