"""Shift: the picture moves by pixels; a convolution's map moves along, a ViT's tokens jump at the edges of patches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vitviz.calculation import Calculation, Calculations
from vitviz.choice import Choice
from vitviz.machine.price import at_once
from vitviz.page import Page

if TYPE_CHECKING:
    from PIL import Image

    from vitviz.choice import Words
    from vitviz.config import ViTConfig
    from vitviz.images import Crop
    from vitviz.measures.arrays import Array
    from vitviz.trace import Trace


def likeness_when_moved(trace: Trace, picture: Image.Image, square: Crop | None, most: int) -> Array:
    from vitviz.images import DEMO
    from vitviz.measures.laboratory.shift import moved_features, moved_tokens
    from vitviz.shelf.cnn import load_cnn

    tokens = moved_tokens(trace, most)
    features = moved_features(load_cnn(), DEMO.normalised(DEMO.crop(picture, square)))
    return np.stack([it[: most + 1] for they in (tokens, features) for it in (they.first_kept, they.last_kept)])


def pixels_moved(most: int) -> dict[str, list[str]]:
    return {"shift": [f"{pixels} pixels" for pixels in range(most + 1)]}


SHIFT = Calculation(
    "how like themselves two maps stay when the picture moves, pixel by pixel: embedding and last layer of the model, "
    "first and last layer of the shelf's CNN",
    "4 shift",
    likeness_when_moved,
    names=pixels_moved,
    note="Guess before you run this: the picture moves by half a patch. Whose last map, moved back, stays more like "
    "itself: the model's or the CNN's?",
    places=("embedding", "last layer", "CNN, first layer", "CNN, last layer"),
    lacks="a forward pass for every pixel, and a CNN; `vitviz/measures/laboratory/shift.py` has both",
)


def _furthest(words: Words, config: ViTConfig) -> int:
    from vitviz.measures.laboratory.shift import MOST

    return max(2, at_once(config, 1, MOST + 1)) - 1


GUESS = Choice("guess_shift")

PAGE = Page(
    __file__,
    "Shift",
    order=505,
    says="Drag the picture to the right and watch the maps: a convolution slides the same few weights over all "
    "places, so its map moves along. A Vision Transformer cuts its {patches} where it cuts them, and has to "
    "learn the rest.",
    stage="patch_embedding",
    unedited=True,
    choices=(GUESS,),
    follows={"most": _furthest},
    calculations=Calculations(SHIFT),
)
