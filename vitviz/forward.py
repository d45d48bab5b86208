"""A picture and a model become what every page asks about: the crop, and the trace of one forward pass."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from vitviz.images import Crop
from vitviz.machine.device import require, synchronise
from vitviz.machine.price import forward_bytes
from vitviz.measures.quantised import Quantised, quantised_forward
from vitviz.trace import Trace, record
from vitviz.weights import Loaded

T = TypeVar("T")

SCREEN = 1024  # pixels of a picture's longer side that a page draws


@dataclass(frozen=True, slots=True)
class Forward:
    """What a model made of a picture: `crop` are the pixels that it saw, `h w c` in bytes; `shown` is drawn of them.

    `maps` holds each layer's attention weights, `head q k`, quantised, where they were asked for; `seconds` is the time
    of the forward pass with the quantising.
    """

    crop: NDArray[np.uint8]
    shown: NDArray[np.uint8]
    trace: Trace
    maps: tuple[Quantised, ...]
    seconds: float


def run_forward(loaded: Loaded, picture: Image.Image, with_maps: bool, chosen: Crop | None = None) -> Forward:
    """Run the model of `loaded` on `picture`, or on the `chosen` square of it, and keep its trace.

    Raises `DeviceMemoryError` where the forward pass, or the attention that pages will ask for, does not fit.
    """
    model = loaded.model
    require(forward_bytes(loaded.config), "a forward pass of this model, with its attention written out,", model.device)
    crop = loaded.preprocess.crop(picture, chosen)
    pixels = loaded.preprocess.normalised(crop).to(model.device, model.dtype)
    started = time.perf_counter()
    trace, maps = quantised_forward(model, pixels) if with_maps else (record(model, pixels), ())
    synchronise()
    seconds = time.perf_counter() - started
    seen = np.asarray(crop)
    return Forward(seen, for_screen(seen, loaded.config.grid), trace, maps, seconds)


def for_screen(pixels: NDArray[np.uint8], grid: tuple[int, int]) -> NDArray[np.uint8]:
    """`h w c`, no larger than a screen shows, with whole pixels for every patch of `grid`."""
    rows, columns = grid
    side = max(1, SCREEN // max(rows, columns))  # of a patch
    if side * rows >= len(pixels):
        return pixels
    return np.asarray(Image.fromarray(pixels).resize((columns * side, rows * side), Image.Resampling.BOX))


def measure(forward: Forward, function: Callable[..., T], *args: Any, **options: Any) -> T:
    """`function` of the trace."""
    return function(forward.trace, *args, **options)
