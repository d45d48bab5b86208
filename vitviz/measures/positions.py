"""Trace to numbers: what the model answers when it does not know where its patches come from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from einops import rearrange
from numpy.typing import NDArray

from vitviz.machine.pytorch import no_grad, torch
from vitviz.machine.wanted import while_wanted
from vitviz.measures.arrays import Array, svd, to_numpy
from vitviz.measures.tokens import embedded, patch_positions, principal_components

if TYPE_CHECKING:
    from torch import Tensor

    from vitviz.model import ViT
    from vitviz.trace import Trace

SHUFFLE_SEED = 0
MOST_VARIANCE = 0.95  # of the patch tokens, that few directions hold
SCORES_AT_ONCE = 1_000_000  # of places, so that a grid of many patches takes no gigabyte
RIDGE = 1e-3  # of the mean variance of a direction, for directions in which the known tokens do not differ
# Positions and which of their axes are tokens, to other positions: of an embedding one axis, of relative ones two.
Change = Callable[..., "Tensor"]


@no_grad
def probabilities_without_positions(trace: Trace) -> Array:
    """Class probabilities when every patch is without a position; prefix tokens keep theirs."""
    return _probabilities(trace, positions_off(trace.model))


@no_grad
def probabilities_with_shuffled_positions(trace: Trace) -> Array:
    """Class probabilities when the positions of the patches change places, in one fixed random order."""
    return _probabilities(trace, positions_shuffled(trace.model))


def shuffled_order(trace: Trace) -> Array:
    """`n`: the patch whose position each patch gets when they are shuffled, counted from 0."""
    return to_numpy(_order(trace.model))


@dataclass(frozen=True, slots=True)
class Swap:
    """What becomes of a model when two patches of the picture change places, as largest differences.

    Without positions: `moved` between the outputs of the two patches and each other's before, `stayed` of all other
    tokens, `logits` of the answer. `with_positions`: of the answer with the positions it learned. One number each, `1`.
    """

    moved: Array
    stayed: Array
    logits: Array
    with_positions: Array


@no_grad
def swapped_patches(trace: Trace, first: int, second: int) -> Swap:
    """Swap two patches of the picture, counted from 0, with positions off and on.

    Self-attention treats its tokens as a set: it is equivariant, and only what the class token reads is invariant.
    """
    model, image, prefix = trace.model, trace["image"].tensor, len(trace.config.prefix_tokens)
    order = torch.arange(trace.config.patches, device=image.device)
    order[[first, second]] = order[[second, first]]
    rows, columns = trace.config.grid
    cut = "b c (gh ph) (gw pw) -> b (gh gw) c ph pw"
    patches = rearrange(image, cut, gh=rows, gw=columns)[:, order]
    other = rearrange(patches, "b (gh gw) c ph pw -> b c (gh ph) (gw pw)", gh=rows)
    off = positions_off(model)
    before, after = (_stream(model, picture, off)[0] for picture in (image, other))
    returned = torch.cat([after[:prefix], after[prefix:][order]])
    differences = (returned - before).abs().amax(dim=-1)
    pair = torch.zeros(len(differences), dtype=torch.bool, device=image.device)
    pair[[prefix + first, prefix + second]] = True
    answers = [[logits_with(model, picture, places)[0] for picture in (image, other)] for places in (off, None)]
    without, learned = ((a - b).abs().max() for a, b in answers)
    still = differences[~pair].max() if (~pair).any() else differences.new_zeros(())
    return Swap(*(to_numpy(value.reshape(1)) for value in (differences[pair].max(), still, without, learned)))


@dataclass(frozen=True, slots=True)
class ReadPlaces:
    """Whether a token with its position tells its place, although a position is short.

    `token` and `position`: their mean lengths. `directions` hold `MOST_VARIANCE` of the variance of the patch tokens,
    and `held` of the positions' squared lengths. `right`: the patches whose place a linear read-out tells from their
    tokens with positions, `alone`: from their tokens without.
    """

    token: float
    position: float
    directions: int
    share: float
    right: int
    alone: int


def read_places(trace: Trace) -> ReadPlaces:
    """Read the place of each patch off the sum of its token and its position, before the first block.

    The read-out of a patch is made of the positions and of the tokens of patches that it is not asked of: as on a
    chessboard, half of them tell how tokens differ, the other half are asked. Raises `DeviceError` where this would
    take minutes.
    """
    tokens, places = embedded(trace, "patch_tokens"), patch_positions(trace)
    rows, columns = trace.config.grid
    black = np.add.outer(np.arange(rows), np.arange(columns)).ravel() % 2 == 0
    cloud = principal_components(tokens, tokens.shape[1])
    reached = cloud.share.cumsum()
    directions = 1 + int(np.argmax(reached >= MOST_VARIANCE * reached[-1]))
    inside = (places @ cloud.directions[:directions].T) ** 2
    right = alone = 0
    for known, tested in ((black, ~black), (~black, black)):
        matrix, bias = place_read_out(tokens[known], places)
        there = np.flatnonzero(tested)
        right += _right((tokens + places)[tested], matrix, bias, there)
        alone += _right(tokens[tested], matrix, bias, there)
    token, position = (float(np.linalg.norm(it, axis=1).mean()) for it in (tokens, places))
    inside_share = float(inside.sum() / max((places**2).sum(), np.finfo(np.float32).tiny))
    return ReadPlaces(token, position, directions, inside_share, right, alone)


def _right(vectors: Array, matrix: Array, bias: Array, there: NDArray[np.intp]) -> int:
    """How many `vectors` have their highest score for the place where they are; few at once, each has one for all."""
    step = max(1, SCORES_AT_ONCE // len(bias))
    some = (slice(first, first + step) for first in range(0, len(there), step))
    return sum(int(np.sum((vectors[at] @ matrix + bias).argmax(axis=1) == there[at])) for at in while_wanted(some))


def place_read_out(known: Array, places: Array) -> tuple[Array, Array]:
    """Linear discriminant analysis: `matrix` `d n` and `bias` `n` that score a token for each of `n d` positions.

    Classes are places, each with the mean of the `known` tokens and its position, and all with the covariance of these
    tokens, to which a ridge is added: directions in which tokens differ much count little.
    """
    mean = known.mean(axis=0)
    _, lengths, directions = svd(known - mean)
    variance = lengths**2
    ridge = max(RIDGE * variance.sum() / known.shape[1], np.finfo(np.float32).tiny)
    # The inverse of the covariance with its ridge, times that ridge, which argmax does not see.
    matrix = places - places @ directions.T * (variance / (variance + ridge)) @ directions
    return matrix.T, -(matrix * places).sum(axis=1) / 2 - matrix @ mean


@no_grad
def logits_with(model: ViT, image: Tensor, change: Change | None) -> Tensor:
    """`b c h w -> b classes` with changed positions, wherever they enter; the model itself is not changed."""
    return model.classify(_stream(model, image, change))


def positions_off(model: ViT) -> Change:
    """No position for any patch; prefix tokens keep theirs."""
    prefix = len(model.config.prefix_tokens)

    def off(positions: Tensor, *axes: int) -> Tensor:
        changed = positions.clone()
        for axis in axes:
            changed.narrow(axis, prefix, model.config.patches).zero_()
        return changed

    return off


def positions_shuffled(model: ViT) -> Change:
    """Those of the patches in one fixed random order; prefix tokens keep theirs."""
    prefix = len(model.config.prefix_tokens)
    order = torch.cat([torch.arange(prefix), prefix + _order(model)]).to(model.device)

    def shuffled(positions: Tensor, *axes: int) -> Tensor:
        for axis in axes:
            positions = positions.index_select(axis, order)
        return positions

    return shuffled


def _stream(model: ViT, image: Tensor, change: Change | None) -> Tensor:
    """The residual stream after the last block with changed positions: `b t d`."""
    change = change or (lambda positions, *axes: positions)
    at_stem = model.config.positions_at == "stem"

    def biased(name: str, value: Tensor) -> Tensor:
        if name == "attn.angles":
            return change(value, -2)
        return change(value, -2, -1) if name == "attn.bias" else value

    x = model.embed(image, positions=change(model.positions(), -2) if at_stem else None)
    for layer, block in enumerate(model.blocks):
        x = block(x if at_stem else x + change(model.positions(layer), -2), biased)
    return x


def _order(model: ViT) -> Tensor:
    return torch.randperm(model.config.patches, generator=torch.Generator().manual_seed(SHUFFLE_SEED))


def _probabilities(trace: Trace, change: Change) -> Array:
    return to_numpy(logits_with(trace.model, trace["image"].tensor, change)[0].float().softmax(dim=-1))
