"""Dropout and drop path that a seed decides: what is dropped follows from the seed, the site and the place alone."""

import torch
from torch import Tensor

from vitviz.edits.chance import BITS, mix

THOUSANDTHS = 1000
LEAST = -(2**31)  # of the numbers of 32 bits with a sign
PATHS = 2**16  # the first site of drop path, after all those of dropout


def dropped_out(value: Tensor, rate: float, seed: int, site: int) -> Tensor:
    """`value` with a share of `rate` of its numbers 0, the others larger by as much (Srivastava et al. 2014).

    The same numbers are dropped of every picture of a batch: number `i` of a picture, in the order of its axes, where
    `mix(mix(mix(seed) ^ site) ^ i)` is less than 2³² times the rate, counted in thousandths and rounded down.
    """
    drawn = _drawn(mix(mix(seed) ^ site), value[0].numel(), value.device)
    is_kept = drawn >= round(rate * THOUSANDTHS) * (BITS + 1) // THOUSANDTHS + LEAST
    return value * is_kept.view(value.shape[1:]) / (1 - rate)


def path(rate: float, seed: int, layer: int, depth: int, branch: int) -> float:
    """What a branch of a block is multiplied by: 0, or so much more than 1 as others are dropped (Huang et al. 2016).

    Branch 0 is attention, 1 the MLP. The rate grows evenly from 0 in the first block to `rate` in the last.
    """
    parts, whole = round(rate * THOUSANDTHS) * layer, THOUSANDTHS * max(1, depth - 1)
    drawn = mix(mix(mix(seed) ^ (PATHS + 2 * layer + branch)))
    return 0.0 if drawn < parts * (BITS + 1) // whole else whole / (whole - parts)


def _drawn(start: int, count: int, device: torch.device) -> Tensor:
    """`mix(start ^ i)` of each `i` below `count`, less 2³¹: 32 bits with a sign take a third of the time of 64."""
    numbers = torch.arange(count, dtype=torch.int32, device=device).bitwise_xor_(_signed(start))
    numbers.bitwise_xor_((numbers >> 16).bitwise_and_(BITS >> 16)).mul_(_signed(0x7FEB352D))
    numbers.bitwise_xor_((numbers >> 15).bitwise_and_(BITS >> 15)).mul_(_signed(0x846CA68B))
    return numbers.bitwise_xor_((numbers >> 16).bitwise_and_(BITS >> 16)).bitwise_xor_(LEAST)


def _signed(number: int) -> int:
    """The number of the same 32 bits with a sign."""
    return (number ^ -LEAST) + LEAST
