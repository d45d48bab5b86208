"""A picture and a model become what every page asks about: the crop, and the walk of one forward."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from vitviz.device import require, synchronise
from vitviz.measures.coding import Code, coded_walk
from vitviz.price import forward_bytes
from vitviz.trace import Trace, record
from vitviz.weights import Loaded

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Forward:
    """What a model made of a picture: `crop` are the pixels that it saw, `h w c` in bytes.

    `maps` holds the code of each layer's attention weights, `head q k`, where it was asked for; `seconds` is the time
    of the forward with the coding.
    """

    crop: NDArray[np.uint8]
    trace: Trace
    maps: tuple[Code, ...]
    seconds: float


def run_forward(loaded: Loaded, picture: Image.Image, with_maps: bool) -> Forward:
    """Run the model of `loaded` on `picture` and keep the walk.

    Raises `DeviceMemoryError` where the forward, or the attention that pages will ask for, does not fit.
    """
    model = loaded.model
    require(forward_bytes(loaded.config), "a forward of this model, with its attention written out,", model.device)
    crop = loaded.preprocess.crop(picture)
    pixels = loaded.preprocess.normalised(crop).to(model.device, model.dtype)
    started = time.perf_counter()
    trace, maps = coded_walk(model, pixels) if with_maps else (record(model, pixels), ())
    synchronise()
    return Forward(np.asarray(crop), trace, maps, time.perf_counter() - started)


def measure(forward: Forward, function: Callable[..., T], *args: Any, **options: Any) -> T:
    """`function` of the walk."""
    return function(forward.trace, *args, **options)
