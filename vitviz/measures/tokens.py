"""Trace to numbers: from pixels to tokens, and what a position adds."""

import torch

from vitviz.measures.arrays import Array, to_numpy
from vitviz.trace import Trace


@torch.no_grad()
def flat_patches(trace: Trace) -> Array:
    """The picture as the sequence that is projected: `n (c ph pw)`, normalised pixel values in raster order."""
    return to_numpy(trace.embedding()["patches"].tensor[0])
