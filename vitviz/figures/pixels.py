"""Pixels as files, for whoever draws them."""

import base64
from functools import lru_cache
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

MOST_PIXELS = 2048  # of the longer side of a picture in a figure


def fitting(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Pixels `h w c`, no more of them than a screen has: others are averaged."""
    if (times := max(pixels.shape[:2]) / MOST_PIXELS) > 1:
        height, width = (max(1, round(side / times)) for side in pixels.shape[:2])
        pixels = np.asarray(Image.fromarray(pixels).resize((width, height), Image.Resampling.BOX))
    return pixels


def data_uri(pixels: NDArray[np.uint8]) -> str:
    """Pixels `h w c`, RGB or RGBA, as a PNG in a data URI."""
    return _encoded(pixels.tobytes(), pixels.shape)


def png_file(pixels: NDArray[np.uint8]) -> bytes:
    """`h w c` as the bytes of a PNG file; of one channel as a grey picture."""
    buffer = BytesIO()
    Image.fromarray(pixels if pixels.shape[2] == 3 else pixels[..., 0]).save(buffer, "PNG")
    return buffer.getvalue()


@lru_cache(maxsize=32)  # a slider draws the same pictures again and again
def _encoded(data: bytes, shape: tuple[int, ...]) -> str:
    buffer = BytesIO()
    Image.fromarray(np.frombuffer(data, np.uint8).reshape(shape)).save(buffer, "PNG", compress_level=1)
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()
