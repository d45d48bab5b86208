"""What happens to a picture before the model sees it, in words and numbers."""

from math import floor

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from vitviz.images import Preprocess

SHOWN = 640  # pixels of the longer side of a picture on a page, at most
COLOURS = ("red", "green", "blue")


def in_words(preprocess: Preprocess, image: Image.Image) -> str:
    """One or two sentences: how the picture is resized and cut, and how a value from 0 to 255 is normalised."""
    return f"{_geometry(preprocess, image)} Then every value v from 0 to 255 becomes {_values(preprocess)}."


def small_copy(image: Image.Image) -> NDArray[np.uint8]:
    """The picture for a page, `h w c`: no larger than the eye needs."""
    copy = image.convert("RGB")
    copy.thumbnail((SHOWN, SHOWN))
    return np.asarray(copy)


def _geometry(preprocess: Preprocess, image: Image.Image) -> str:
    size = preprocess.size
    given = f"{image.width} × {image.height} pixels"
    if preprocess.resize == "squash":
        return f"{given}, resized ({preprocess.interpolation}) to {size} × {size}, whatever becomes of the proportions."
    scaled = floor(size / preprocess.crop_fraction)
    if image.size == (size, size) == (scaled, scaled):
        return f"{given}: already what the model reads, nothing is resized or cut."
    division = f" = ⌊{size} / {preprocess.crop_fraction}⌋" if scaled != size else ""
    resized = f"resized ({preprocess.interpolation}) until the shorter side has {scaled}{division}"
    return f"{given}, {resized}; the middle {size} × {size} are cut out."


def _values(preprocess: Preprocess) -> str:
    rules = [f"(v / 255 − {mean:g}) / {std:g}" for mean, std in zip(preprocess.mean, preprocess.std, strict=True)]
    if len(set(rules)) == 1:
        return rules[0]
    return ", ".join(f"{rule} in {colour}" for rule, colour in zip(rules, COLOURS, strict=True))
