"""Pictures of a class as vectors of a frozen model, and as small pictures to show: scenes, and what visitors bring."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from vitviz.demo.scenes import members
from vitviz.images.photos import BY_TITLE, parts
from vitviz.machine.pytorch import torch
from vitviz.machine.wanted import while_wanted
from vitviz.measures.arrays import Array
from vitviz.measures.laboratory.five_shots import frozen_vectors

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vitviz.weights import Loaded

SMALL = 96  # pixels of the longer side of a picture that is shown


class Seen(NamedTuple):
    """What a model makes of pictures, `picture d`, and its crops of them, small: `picture y x 3`."""

    vectors: Array
    small: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class ClassOf:
    """A class, with what a model made of its first pictures, or of all: of `count`, so many `shots` may teach it.

    `own` pictures are a visitor's.
    """

    name: str
    shots: int
    count: int
    own: bool
    seen: Seen

    @property
    def taught(self) -> Array:
        """The vectors of its shots: `picture d`."""
        return self.seen.vectors[: self.shots]

    @property
    def held_out(self) -> Array:
        """Those of its other pictures: `picture d`."""
        return self.seen.vectors[self.shots :]


def see_scenes(loaded: Loaded, name: str, first: int, last: int) -> Seen:
    """Pictures number `first` to `last - 1`: test scenes of a class or a family, or parts of a sample photograph.

    No model was trained on one of them.
    """
    return _see(loaded, _scenes(name, first, last))


def see_picture(loaded: Loaded, picture: Image.Image) -> Seen:
    """One picture that somebody brought."""
    return _see(loaded, [picture])


def prepare_scenes(loaded: Loaded, name: str, first: int, last: int) -> torch.Tensor:
    """The same scenes as the model reads them: `picture c h w`."""
    return torch.cat([loaded.preprocess(picture) for picture in while_wanted(_scenes(name, first, last))])


def prepare_picture(loaded: Loaded, picture: Image.Image) -> torch.Tensor:
    """One picture that somebody brought, as the model reads it: `1 c h w`."""
    return loaded.preprocess(picture)


def _scenes(name: str, first: int, last: int) -> Iterator[Image.Image]:
    from vitviz.demo.dataset import TEST
    from vitviz.demo.scenes import CLASSES, render

    if name in BY_TITLE:
        return parts(name, first, last)
    labels = {CLASSES.index(it) for it in members(name)}
    seeds = (seed for seed in TEST if seed % len(CLASSES) in labels)
    return (render(seed).image for seed in islice(seeds, first, last))


def _see(loaded: Loaded, pictures: Iterable[Image.Image]) -> Seen:
    crops = [loaded.preprocess.crop(picture) for picture in pictures]
    images = torch.cat([loaded.preprocess.normalised(crop) for crop in crops])
    vectors = frozen_vectors(loaded.model, images.to(loaded.model.device, loaded.model.dtype))
    longer = max(crops[0].size)
    small = [crop.resize((SMALL * crop.width // longer, SMALL * crop.height // longer)) for crop in crops]
    return Seen(vectors, np.stack([np.asarray(picture) for picture in small]))
