"""Trace to numbers: what becomes of tokens and answer when patches of the picture change places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vitviz.machine.pytorch import no_grad, torch
from vitviz.measures.arrays import Array, to_numpy
from vitviz.measures.classes import result

if TYPE_CHECKING:
    from torch import Tensor

    from vitviz.trace import Trace

SAME = 1e-5  # a difference of layer-normalised components that is rounding alone


@dataclass(frozen=True, slots=True)
class Reordered:
    """A run whose picture has its patches in another order, beside the run of the picture as it is.

    Tokens are compared after the last norm, where the answer is read off them: the largest difference of a component.
    `in_place` is that of the two tokens of each place, `followed` of the token there now and that of the same patch
    before, wherever it stood: `gh gw` each. `prefix`, `s`, is that of tokens without a place. `logits` are those before
    and after, `2 classes`.
    """

    in_place: Array
    followed: Array
    prefix: Array
    logits: Array


@no_grad
def reordered(trace: Trace) -> Reordered:
    """The trace of a picture whose patches were swapped or shuffled beside the plain one that it began with."""
    plain = trace.plain or trace
    before, after = (it.last_tokens()[0] for it in (plain, trace))
    outside, order = len(trace.config.prefix_tokens), order_of(trace).to(before.device)
    patches = before[outside:]
    grid = trace.config.grid
    return Reordered(
        _largest(after[outside:] - patches).reshape(grid),
        _largest(after[outside:] - patches[order]).reshape(grid),
        _largest(after[:outside] - before[:outside]),
        to_numpy(torch.stack([torch.tensor(result(it)) for it in (plain, trace)])),
    )


def order_of(trace: Trace) -> Tensor:
    """The patch that each place shows in an edited picture, counted from 0: `n`."""
    from vitviz.edits.pixels import new_order

    order = torch.arange(trace.config.patches)
    for edit in sorted(trace.edits.of("pixels"), key=lambda it: it.is_swap):
        order = order[new_order(edit, trace.config.patches)]
    return order


def _largest(difference: Tensor) -> Array:
    """Of each token, `t d -> t`."""
    return to_numpy(difference.abs().amax(dim=-1))
