"""Small pictures of the stages: what each of them does to the picture on screen. All are RGB(A) pixels, `h w c`."""

from math import ceil

import numpy as np

from vitviz.figures.colours import table
from vitviz.figures.marks import Floats, Pixels
from vitviz.figures.tiles import cut, mosaic, tinted

SIDE = 384  # pixels; enough for a card on a sharp screen
DIM = 0.25  # how much of a patch is left where the attention is 0


def patches(pixels: Pixels, rows: int, columns: int) -> Pixels:
    """The crop, cut into its patches."""
    return _enlarged(mosaic(cut(pixels, rows, columns), columns))


def tokens(coordinates: Floats, columns: int) -> Pixels:
    """One coloured cell per patch: its first principal components, `n (up to 3)`, as red, green and blue."""
    colours = np.zeros((len(coordinates), 3))
    colours[:, : coordinates.shape[1]] = coordinates
    return _enlarged(mosaic(tinted(colours, np.abs(colours).max(axis=0))[:, None, None], columns))


def spotlight(pixels: Pixels, attention: Floats) -> Pixels:
    """The crop, each patch lit by the attention `gh gw` that it gets; the largest weight leaves it as it is."""
    light = DIM + (1 - DIM) * _seen(attention)
    cell = [side // cells for side, cells in zip(pixels.shape, attention.shape, strict=False)]
    return _enlarged(np.rint(pixels * np.kron(light, np.ones(cell))[..., None]).astype(np.uint8))


def maps(attention: Floats) -> Pixels:
    """Attention maps `layer gh gw` side by side, in lines, on one scale from 0 to the largest weight."""
    colours = table(signed=False)[np.rint(255 * _seen(attention)).astype(np.uint8)]
    return _enlarged(mosaic(colours, per_line=max(1, round((1.5 * len(attention)) ** 0.5))))


def _seen(attention: Floats) -> Floats:
    """Weights as light from 0 to 1: the root of their share of the largest, so that small ones are seen, too."""
    return np.sqrt(attention / attention.max())


def _enlarged(pixels: Pixels) -> Pixels:
    """Each pixel as a square of several, so that a browser does not blur it."""
    times = ceil(SIDE / max(pixels.shape))
    return pixels.repeat(times, axis=0).repeat(times, axis=1)
