"""What max-pooling forgives: a convolution's map of a picture, and of the same picture moved by one pixel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from vitviz.machine.pytorch import F, no_grad
from vitviz.measures.arrays import Array, to_numpy
from vitviz.measures.laboratory.shift import Network, kept, shifted

if TYPE_CHECKING:
    from torch import Tensor

WINDOWS = 1, 2, 4, 8, 16  # sides of what is pooled; 1 is the map itself


@dataclass(frozen=True, slots=True)
class Pooled:
    """One channel's maps with each window, `window` of `gh gw`: the picture as it stands, and moved by one pixel.

    How like the maps of all channels are, place by place, `window`: `kept` by the maximum of each window, `skipped`
    where one place of each window is read, which is no coarser.
    """

    still: tuple[Array, ...]
    moved: tuple[Array, ...]
    kept: Array
    skipped: Array


@no_grad
def max_pooled(cnn: Network, image: Tensor) -> Pooled:
    """The network's first filters at every pixel, pooled; of the channel that differs most over the picture."""
    still, moved = (dense(cnn, it) for it in (image, shifted(image, 1)))
    channel = int(still.flatten(1).var(dim=1).argmax())
    maps = [[F.max_pool2d(it, side) for it in (still, moved)] for side in WINDOWS]
    coarse = [[it[:, ::side, ::side] for it in (still, moved)] for side in WINDOWS]
    alike = [[kept(one, other, 0, one.shape[-1]) for one, other in pairs] for pairs in (maps, coarse)]
    befores, afters = ([to_numpy(pair[at][channel]) for pair in maps] for at in range(2))
    return Pooled(tuple(befores), tuple(afters), *(np.array(it, np.float32) for it in alike))


def dense(cnn: Network, image: Tensor) -> Tensor:
    """The first layer's map with a place for every pixel, where the network itself takes every second: `d y x`."""
    first: Any = cnn.stem[0]
    found: Tensor = F.relu(first.norm(F.conv2d(image, first.conv.weight, padding=1)))[0]
    return found
