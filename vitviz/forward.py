"""A picture and a model become what every page asks about: the crop, and the trace of one forward."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from vitviz.device import require, synchronise
from vitviz.measures.quantised import Quantised, quantised_forward
from vitviz.price import forward_bytes
from vitviz.trace import Trace, record
from vitviz.weights import Loaded

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Forward:
    """What a model made of a picture: `crop` are the pixels that it saw, `h w c` in bytes.

    `maps` holds each layer's attention weights, `head q k`, quantised, where they were asked for; `seconds` is the time
    of the forward with the quantising.
    """

    crop: NDArray[np.uint8]
    trace: Trace
    maps: tuple[Quantised, ...]
    seconds: float


def run_forward(loaded: Loaded, picture: Image.Image, with_maps: bool) -> Forward:
    """Run the model of `loaded` on `picture` and keep its trace.

    Raises `DeviceMemoryError` where the forward, or the attention that pages will ask for, does not fit.
    """
    model = loaded.model
    require(forward_bytes(loaded.config), "a forward of this model, with its attention written out,", model.device)
    crop = loaded.preprocess.crop(picture)
    pixels = loaded.preprocess.normalised(crop).to(model.device, model.dtype)
    started = time.perf_counter()
    trace, maps = quantised_forward(model, pixels) if with_maps else (record(model, pixels), ())
    synchronise()
    return Forward(np.asarray(crop), trace, maps, time.perf_counter() - started)


def measure(forward: Forward, function: Callable[..., T], *args: Any, **options: Any) -> T:
    """`function` of the trace."""
    return function(forward.trace, *args, **options)
