"""Pictures of a class as vectors of a frozen model, and as small pictures to show: scenes, and what visitors bring."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from vitviz.machine.pytorch import torch
from vitviz.measures.arrays import Array
from vitviz.measures.laboratory.five_shots import frozen_vectors

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vitviz.weights import Loaded

SMALL = 96  # pixels of a picture that is shown


class Seen(NamedTuple):
    """What a model makes of pictures, `picture d`, and its crops of them, small: `picture y x 3`."""

    vectors: Array
    small: NDArray[np.uint8]


def see_scenes(loaded: Loaded, label: int, first: int, last: int) -> Seen:
    """Test scenes number `first` to `last - 1` of a class, which no model was trained on."""
    from vitviz.demo.dataset import TEST
    from vitviz.demo.scenes import CLASSES, render

    return _see(loaded, (render(seed).image for seed in TEST[label :: len(CLASSES)][first:last]))


def see_picture(loaded: Loaded, picture: Image.Image) -> Seen:
    """One picture that somebody brought."""
    return _see(loaded, [picture])


def _see(loaded: Loaded, pictures: Iterable[Image.Image]) -> Seen:
    crops = [loaded.preprocess.crop(picture) for picture in pictures]
    images = torch.cat([loaded.preprocess.normalised(crop) for crop in crops])
    vectors = frozen_vectors(loaded.model, images.to(loaded.model.device, loaded.model.dtype))
    return Seen(vectors, np.stack([np.asarray(crop.resize((SMALL, SMALL))) for crop in crops]))
