"""The letters of a PNG: Pillow's own font, what it can write, and how wide words are in it."""

import re
from functools import cache

from PIL import ImageFont

POWER = re.compile(r"·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
FINE = 2  # times larger are letters measured: small ones are as wide as whole pixels
NORMAL = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


@cache
def font(size: int) -> ImageFont.ImageFont | ImageFont.FreeTypeFont:
    """The font with letters of so many pixels."""
    return ImageFont.load_default(size)


def written(text: str) -> str:
    """The same words in letters that Pillow's own font has: 1.3·10⁻⁵ becomes 1.3e-5."""
    plain = POWER.sub(lambda found: "e" + found[1].translate(NORMAL), text)
    return plain.replace("−", "-").replace("≈", "~")


def width_of(text: str, size: int) -> float:
    """How many pixels words are wide, about: an SVG is read with another font."""
    return font(FINE * size).getlength(written(text)) / FINE
