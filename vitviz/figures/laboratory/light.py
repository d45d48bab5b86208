"""Attention as light on a dimmed photo, as the board draws it."""

import numpy as np

from vitviz.figures.marks import Floats, Pixels

DIMMED = 0.25  # of the photo's light stays where nobody looks


def lit(pixels: Pixels, weights: Floats) -> Pixels:
    """The photo `h w c`, as light as it is where the weights `gh gw` are largest."""
    (gh, gw), (height, width, _) = weights.shape, pixels.shape
    rows, columns = np.arange(height) * gh // height, np.arange(width) * gw // width
    light = weights[np.ix_(rows, columns)] / (float(weights.max()) or 1)
    return np.asarray(pixels * (DIMMED + (1 - DIMMED) * light[..., None]), np.uint8)
