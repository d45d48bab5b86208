"""Dropout that a seed decides: which numbers it takes follows from the seed, the site and the place alone."""

import torch
from torch import Tensor

from vitviz.edits.chance import BITS, mix

THOUSANDTHS = 1000


def dropped_out(value: Tensor, rate: float, seed: int, site: int) -> Tensor:
    """`value` with a share of `rate` of its numbers 0, the others larger by as much (Srivastava et al. 2014).

    The same numbers fall out of every picture of a batch: number `i` of a picture, in the order of its axes, where
    `mix(mix(mix(seed) ^ site) ^ i)` is less than 2³² times the rate, counted in thousandths and rounded down.
    """
    start = mix(mix(seed) ^ site)
    drawn = _mixed(torch.arange(value[0].numel(), device=value.device) ^ start)
    kept = drawn >= round(rate * THOUSANDTHS) * (BITS + 1) // THOUSANDTHS
    return value * kept.view(value.shape[1:]) / (1 - rate)


def _mixed(numbers: Tensor) -> Tensor:
    """`mix` of many numbers at once; products that overflow 64 bits keep their low 32 right."""
    numbers = (numbers ^ numbers >> 16) * 0x7FEB352D & BITS
    numbers = (numbers ^ numbers >> 15) * 0x846CA68B & BITS
    return numbers ^ numbers >> 16
