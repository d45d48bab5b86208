"""Colour scales of numbers: sequential from 0 (viridis), and diverging around 0 (ColorBrewer's RdBu, blue below)."""

from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import ImageColor

from vitviz.figures.marks import Colours

WEIGHTS = (
    *("#440154", "#482878", "#3e4989", "#31688e", "#26828e"),
    *("#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725"),
)
SIGNED = (
    *("#053061", "#2166ac", "#4393c3", "#92c5de", "#d1e5f0", "#f7f7f7"),
    *("#fddbc7", "#f4a582", "#d6604d", "#b2182b", "#67001f"),
)


@cache
def table(signed: bool) -> NDArray[np.uint8]:
    """A scale in equal steps, `256 rgb`."""
    colours = _between(signed, np.linspace(0, 1, 256))
    colours.flags.writeable = False
    return colours


def shades(values: NDArray[np.floating], colours: Colours) -> NDArray[np.uint8]:
    """Numbers as colours, `... -> ... rgb`; what lies beyond the scale has the colour of its end."""
    shares = np.clip(values / (colours.limit or 1), -1 if colours.signed else 0, 1)
    return _between(colours.signed, (shares + 1) / 2 if colours.signed else shares)


def _between(signed: bool, shares: NDArray[np.floating]) -> NDArray[np.uint8]:
    corners = np.array([ImageColor.getrgb(colour) for colour in (SIGNED if signed else WEIGHTS)])
    ends = np.linspace(0, 1, len(corners))
    channels = [np.interp(shares, ends, channel) for channel in corners.T]
    mixed: NDArray[np.uint8] = np.rint(np.stack(channels, axis=-1)).astype(np.uint8)
    return mixed
