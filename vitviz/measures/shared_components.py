"""Arrays to numbers: the components that patches of several pictures share, and what can be read off a patch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np
from einops import rearrange
from numpy.typing import NDArray

from vitviz.machine.device import DeviceError
from vitviz.machine.pytorch import no_grad
from vitviz.machine.wanted import require_wanted
from vitviz.measures.arrays import Array, eigh, solve
from vitviz.measures.similarity import patch_vectors
from vitviz.measures.tokens import MOST_WORK, embedded
from vitviz.numbers import short

if TYPE_CHECKING:
    from vitviz.trace import Trace

COLOURS = 3  # red, green and blue
FACTS = ("row", "column", "mean colour")  # that a patch may hold of itself
REACHED = 98  # percent of the coordinates that lie between black and full colour
FLAT = 1e-12  # of the mean square of a component: what varies less is rounded
RIDGE = 1e-2  # of the mean variance of a direction, for directions in which the known patches do not differ

States = tuple[Array, ...]
Exact = NDArray[np.float64]


def patch_states(trace: Trace) -> States:
    """What each patch is before the first layer and after each: `n d` for each row."""
    before = patch_vectors(trace, "token", 0)
    return before, *(patch_vectors(trace, "state", layer) for layer in range(trace.config.depth))


@dataclass(frozen=True, slots=True)
class SharedComponents:
    """Patches of several pictures on the first three principal components of all of them, anew in every row.

    `coordinates` `row picture n 3`; `share` `row 3`: of the variance of all patches; `reach` `row 3`: the size that
    `REACHED` percent of all coordinates do not exceed.
    """

    coordinates: Array
    share: Array
    reach: Array


def shared_components(*pictures: States) -> SharedComponents:
    """One basis for all pictures, which does not depend on their order, in float64 (Oquab et al. 2023).

    The sign of a direction is free, so it is fixed: its entry of largest size is positive. Patches that are all alike
    have components of 0 alone. Raises `DeviceError` where
    this would take minutes.
    """
    rows = [_of_row(each) for each in zip(*pictures, strict=True)]
    return SharedComponents(*(np.stack(each).astype(np.float32) for each in zip(*rows, strict=True)))


def _of_row(pictures: Sequence[Array]) -> tuple[Exact, Exact, Exact]:
    """Coordinates `picture n 3`, share `3` and reach `3`."""
    require_wanted()
    exact = np.stack(pictures).astype(np.float64)
    if (work := exact.shape[2] ** 3) > MOST_WORK:
        raise DeviceError(
            f"the principal components of vectors of {exact.shape[2]:,} numbers take {short(work)} multiply-adds, "
            f"several times, and the limit is {short(MOST_WORK)}; choose a smaller model"
        )
    order = sorted(range(len(exact)), key=lambda at: sha256(exact[at].tobytes()).digest())  # sums round by their order
    many = exact.shape[0] * exact.shape[1]
    size = np.square(exact).sum() / many
    exact -= sum(exact[at].sum(axis=0) for at in order) / many
    covariance = sum(exact[at].T @ exact[at] for at in order) / many
    if not np.isfinite(covariance).all():
        nothing = np.full(COLOURS, np.nan)
        return np.full((*exact.shape[:2], COLOURS), np.nan), nothing, nothing
    variance, directions = eigh(covariance)
    if variance.sum() <= FLAT * size:
        return np.zeros((*exact.shape[:2], COLOURS)), np.zeros(COLOURS), np.zeros(COLOURS)
    first = directions[:, : -COLOURS - 1 : -1]
    largest = np.abs(first).argmax(axis=0, keepdims=True)
    first = first * np.sign(np.take_along_axis(first, largest, axis=0))
    lacking = COLOURS - first.shape[1]  # of vectors of one or two numbers
    coordinates = np.stack([each @ first for each in exact])
    share = variance[: -COLOURS - 1 : -1] / variance.sum()
    coordinates, share = np.pad(coordinates, ((0, 0), (0, 0), (0, lacking))), np.pad(share, (0, lacking))
    return coordinates, share, reach_of(coordinates)


def reach_of(coordinates: NDArray[np.floating]) -> Exact:
    """What `REACHED` percent of the coordinates of all pictures, `picture n 3`, do not exceed in size: `3`."""
    return np.percentile(np.abs(coordinates), REACHED, axis=(0, 1))


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the patches of a picture: `states`, and of each its row, column and mean colour: `n (2 + c)`."""

    states: States
    facts: Array


@no_grad
def known_of_patches(trace: Trace) -> Known:
    """The states of all patches, and where each is and how bright in each channel, as the model reads it."""
    config = trace.config
    pixels = rearrange(embedded(trace, "patches"), "n (c rest) -> n c rest", c=config.channels).mean(axis=-1)
    places = np.stack(np.divmod(np.arange(config.patches), config.grid[1]), axis=1)
    return Known(patch_states(trace), np.concatenate([places, pixels], axis=1).astype(np.float32))


@dataclass(frozen=True, slots=True)
class Held:
    """How much of a patch's row, column and mean colour a linear read-out finds in its state, as R².

    `ordinary` `row 3`; `outliers` the same of the patches that are named, `0 3` where none is. Errors are compared with
    the variance over all patches of the picture: 1 is all, and 0 no more than their mean. What all patches share, such
    as the row in a grid of one, can be read off none: it is not a number. `places` `row n 2`: the row and the column
    that are read off each patch, counted from 0.
    """

    ordinary: Array
    outliers: Array
    places: Array


def what_patches_hold(outliers: tuple[int, ...], here: Known, *others: Known) -> Held:
    """Read row, column and colour off the patches of a picture with what patches of other pictures teach.

    A ridge regression for each row; `outliers` count patches.
    """
    far = np.isin(np.arange(len(here.facts)), outliers)
    known = np.concatenate([it.facts for it in others]).astype(np.float64)
    facts = here.facts.astype(np.float64)
    spread = (facts - facts.mean(axis=0)) ** 2
    rows, places = [], []
    for states in zip(here.states, *(it.states for it in others), strict=True):
        require_wanted()
        read = _read_out(np.concatenate(states[1:]).astype(np.float64), known, states[0].astype(np.float64))
        places.append(read[:, :2])
        errors = (read - facts) ** 2
        rows.append([_explained(errors[which], spread) for which in (~far, far)])
    ordinary, outlying = (np.array([row[at] for row in rows], np.float32) for at in (0, 1))
    return Held(ordinary, outlying if far.any() else outlying[:0], np.array(places, np.float32))


def _read_out(taught: Exact, facts: Exact, tested: Exact) -> Exact:
    """What a ridge regression from `taught` `m d` to `facts` `m f` says of `tested`, `n d`: `n f`."""
    middle, means = taught.mean(axis=0), facts.mean(axis=0)
    less = taught - middle
    square = less.T @ less
    ridge = max(RIDGE * np.trace(square) / len(square), np.finfo(np.float32).tiny)
    if not np.isfinite(square).all():
        return np.full((len(tested), facts.shape[1]), np.nan)
    matrix = solve(square + ridge * np.eye(len(square)), less.T @ (facts - means))
    return (tested - middle) @ matrix + means


def _explained(errors: Exact, spread: Exact) -> list[float]:
    """R² of row, column and colour, the channels of that together; of no patches nothing that counts."""
    if not len(errors):
        return [0.0] * 3
    parts = (slice(0, 1), slice(1, 2), slice(2, None))
    variances = [float(spread[:, part].mean()) for part in parts]
    lost = [float(errors[:, part].mean()) for part in parts]
    return [1 - error / variance if variance else np.nan for error, variance in zip(lost, variances, strict=True)]
