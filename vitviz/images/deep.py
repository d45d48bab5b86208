"""PNG colours of 16 bits, rounded to the nearest of 8: Pillow keeps only the upper byte of each value."""

from io import BytesIO

import numpy as np
from PIL import Image
from PIL.ImageFile import ImageFile
from PIL.PngImagePlugin import PngImageFile

# How Pillow unpacks the values, and what unpacks their lower bytes: it keeps the first byte of each, or as if they were
# little-endian the second; four bytes of grey and alpha become four channels.
_LOWER = {"RGB;16B": "RGB;16L", "RGBA;16B": "RGBA;16L", "LA;16B": "RGBA"}
HALF = np.uint8(128)


def lower_bytes(image: ImageFile, drawing: bytes) -> Image.Image | None:
    """The lower bytes of all values, in a picture like `image`, which is not loaded yet; None where it has none.

    `drawing` is the file that `image` was opened from.
    """
    unpack = _LOWER.get(str(image.tile[0].args)) if image.format == "PNG" else None
    if unpack is None:
        return None
    with PngImageFile(BytesIO(drawing)) as lower:
        lower.tile = [tile._replace(args=unpack) for tile in lower.tile]
        lower.load()
        if unpack == "RGBA":
            grey, alpha = lower.getchannel("G"), lower.getchannel("A")
            return Image.merge("RGBA", (grey, grey, grey, alpha))
        return lower


def eight_bits(upper: Image.Image, lower: Image.Image) -> Image.Image:
    """Values of 16 bits in 8: v / 257, rounded; a key colour for "transparent" becomes an alpha channel.

    v = 256 · u + l = 257 · u + (l - u), and so a step above u where l exceeds it by more than half of 257, or below.
    """
    high, low = np.asarray(upper), np.asarray(lower)
    above = (low > HALF) & (low - HALF > high)  # bytes: what would be below 0 is masked
    below = (high > HALF) & (high - HALF > low)
    rounded = Image.fromarray(high + above - below)
    key = upper.info.get("transparency")
    if key is not None:
        coded = ((high == np.array(key) // 256) & (low == np.array(key) % 256)).all(axis=-1)
        rounded.putalpha(Image.fromarray(np.where(coded, 0, 255).astype(np.uint8)))
    return rounded


def eight_bits_of_grey(image: Image.Image) -> Image.Image:
    """16-bit grey to 8 bits: v / 257, rounded; a key value for "transparent" becomes an alpha channel."""
    values = np.asarray(image).astype(np.uint32)
    grey = Image.fromarray(((values + 128) // 257).astype(np.uint8))
    if "transparency" in image.info:
        grey.putalpha(Image.fromarray(np.where(values == image.info["transparency"], 0, 255).astype(np.uint8)))
    return grey
