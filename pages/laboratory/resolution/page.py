"""Resolution: one model on larger and smaller pictures, its positions interpolated to their grids."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vitviz.calculation import Calculation, Calculations
from vitviz.choice import Choice
from vitviz.counts import total_macs
from vitviz.laboratory.resizing import sizes
from vitviz.machine.price import at_once
from vitviz.page import Page

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from PIL import Image

    from vitviz.choice import Words
    from vitviz.config import ViTConfig
    from vitviz.figures.figure import Figure
    from vitviz.images import Crop
    from vitviz.measures.arrays import Array
    from vitviz.weights import Loaded


def answers_by_size(
    loaded: Loaded, picture: Image.Image, square: Crop | None, config: ViTConfig, sizes: Sequence[Any]
) -> Array:
    from vitviz.laboratory.resizing import at_size
    from vitviz.measures.classes import answer
    from vitviz.trace import record

    models = [at_size(loaded, config.with_(image_size=size)) for size in sizes]
    crops = [it.preprocess.crop(picture, square) for it in models]
    traces = [record(it.model, it.preprocess.normalised(crop)) for it, crop in zip(models, crops, strict=True)]
    return np.stack([answer(it, config.depth).probabilities for it in traces])


def names_of_sizes(sizes: Sequence[Any]) -> dict[str, list[str]]:
    return {"size": [f"{size} pixels" for size in sizes]}


def bars_by_size(values: Array, loaded: Loaded, sizes: Sequence[Any]) -> Figure:
    from vitviz.figures.laboratory.answers import answers
    from vitviz.measures.classes import best

    places = best(values.max(axis=0), 5)
    by_size = {f"{size} pixels": row[places] for size, row in zip(sizes, values, strict=True)}
    return answers([loaded.labels[at] for at in places], by_size)


RESOLUTION = Calculation(
    "the probability of every class at every picture size, positions interpolated",
    "size classes",
    answers_by_size,
    names=names_of_sizes,
    lacks="interpolated positions; `vitviz/laboratory/resizing.py` has them",
    note="Guess before you run this: the model learned from pictures of one size. At which others does it still give "
    "the same answer?",
    after="What a head looks at there: `at_this_size` of `vitviz.measures.laboratory.resolution`.",
    figure=bars_by_size,
    headed=True,
)


def _sizes(words: Words, config: ViTConfig) -> list[Any]:
    """The picture sizes that a page runs unasked, by their number of patches."""
    all_sizes = sizes(config)
    passes = sum(map(total_macs, all_sizes)) / len(all_sizes) / total_macs(config)
    several = all_sizes[: at_once(config, passes, len(all_sizes))]
    return [it.image_size for it in sorted(several, key=lambda it: it.patches)]


GUESS = Choice("guess_resolution")

PAGE = Page(
    __file__,
    "Resolution",
    order=506,
    stage="position_embedding",
    unedited=True,
    choices=(GUESS,),
    follows={"sizes": _sizes},
    calculations=Calculations(RESOLUTION),
)
