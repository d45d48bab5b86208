"""The pixels of a Plotly picture, and numbers as Plotly colours them."""

import re
from base64 import b64decode
from io import BytesIO
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from vitviz.takeaway.data import outline
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.figures.marks import Pixels
from vitviz.takeaway.figures.plots.rich import inked

FINEST = 2  # pixels of the file for each of the sheet, so that cells have sharp edges when it is enlarged
SOURCE = "data:image/png;base64,"
PAIR = re.compile(r"[0-9a-f]{2}")


def pixels_of(trace: Any) -> NDArray[np.uint8]:
    """The picture of a trace, `h w rgb` or `h w rgba`."""
    return np.asarray(_opened(trace))


def outline_of(trace: Any) -> NDArray[Any]:
    """Its `outline`; the pixels stay packed."""
    picture = _opened(trace)
    return outline(np.broadcast_to(0, (picture.height, picture.width, len(picture.getbands()))))


def _opened(trace: Any) -> Image.Image:
    if not str(trace.source).startswith(SOURCE):
        raise TakeawayError("a picture that is not in its figure cannot be drawn for print")
    return Image.open(BytesIO(b64decode(trace.source.removeprefix(SOURCE))))


def opaque(pixels: NDArray[np.uint8]) -> Pixels:
    """The same on white paper."""
    if pixels.shape[2] == 3:
        return pixels
    share = pixels[..., 3:] / 255
    return np.rint(pixels[..., :3] * share + 255 * (1 - share)).astype(np.uint8)


def coloured(values: NDArray[Any], low: float, high: float, scale: Any) -> tuple[Pixels, NDArray[np.bool_]]:
    """Numbers `rows columns` between `low` and `high` as colours of a scale, and which of them are numbers at all."""
    places = np.array([place for place, _ in scale], float)
    shades = np.array([_shade(colour) for _, colour in scale], float)
    there = np.isfinite(values)
    shares = np.clip((np.where(there, values, low) - low) / ((high - low) or 1), 0, 1)
    mixed = np.stack([np.interp(shares, places, shades[:, channel]) for channel in range(3)], axis=-1)
    pixels = np.rint(mixed).astype(np.uint8)
    pixels[~there] = 255
    return pixels, there


def sharp(pixels: Pixels, width: float, height: float) -> Pixels:
    """Each pixel as several, where there is room: programs that enlarge a picture smooth it."""
    rows, columns = pixels.shape[:2]
    down, across = max(1, ceil(FINEST * height / rows)), max(1, ceil(FINEST * width / columns))
    return pixels.repeat(down, axis=0).repeat(across, axis=1)


def _shade(colour: str) -> tuple[int, ...]:
    return tuple(int(pair, 16) for pair in PAIR.findall(inked(colour)[0].lower()))
