"""Trace to numbers: which patches are alike, in one picture and from one picture to others, and how long tokens are.

Layers, patches and tokens count from 0; what is `of` a patch is one of `KINDS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from einops import rearrange
from numpy.typing import NDArray

from vitviz.machine.device import DeviceError
from vitviz.machine.pytorch import no_grad, torch
from vitviz.machine.wanted import require_wanted
from vitviz.measures.arrays import Array, eigh, to_numpy
from vitviz.measures.tokens import MOST_WORK, embedded
from vitviz.numbers import short

if TYPE_CHECKING:
    from vitviz.trace import Trace

KINDS = ("state", "q", "k", "v", "token", "pixels")
ONCE = ("token", "pixels")  # of the kinds those that stand before the first layer

FEWEST = 8  # directions that coordinates have at least, where vectors have as many
FAR, TWICE = 8, 2  # of an outlier: so many deviations over the median, and so many times the median


def rows_of(of: str, depth: int) -> int:
    """How many vectors a patch has of a kind: one for each layer, or one."""
    return 1 if of in ONCE else depth


@no_grad
def patch_vectors(trace: Trace, of: str, layer: int) -> Array:
    """What each patch has in a layer, `n d`: its "state" after it, or its "q", "k" or "v" in it, heads side by side.

    Its "token" is what enters the first layer, its "pixels" are those that the model reads, whatever the layer.
    """
    first = len(trace.config.prefix_tokens)
    if of == "pixels":
        return embedded(trace, "patches")
    if of == "token":
        return to_numpy(trace.entering(0)[0, first:])
    if of == "state":
        return to_numpy(trace.residual_stream(layer + 1)[0, first:])
    its = trace.inside(layer)[f"attn.{of}"].tensor[0, :, first:]
    return to_numpy(rearrange(its, "head n dh -> n (head dh)"))


def cosines(trace: Trace, of: str, layer: int, patch: int) -> Array:
    """The cosine of one patch's vector with that of every patch, `n`, from -1 to 1; a zero vector has 0."""
    unit = units(patch_vectors(trace, of, layer))
    return np.asarray(unit @ unit[patch], np.float32)


@dataclass(frozen=True, slots=True)
class Directions:
    """Vectors of length 1 in the few directions that hold most of them, so that a product of two is their cosine.

    `coordinates` `row n k`, `share` `row`: the share of its squared length that is left of the shortest of a row.
    """

    coordinates: NDArray[np.float16]
    share: Array


def alike(trace: Trace, of: str, most: int) -> Directions:
    """What cosines of all patches are made of, in every layer, in `most` numbers of two bytes at most.

    Of each row those directions that keep most of the squared lengths: the first singular vectors, without centring.
    Raises `DeviceError` where they would take minutes.
    """
    rows = rows_of(of, trace.config.depth)
    most = max(FEWEST, most // (rows * trace.config.patches))
    found = [in_few_directions(units(patch_vectors(trace, of, layer)), most) for layer in range(rows)]
    share = np.array([held(it) for it in found], np.float32)
    return Directions(np.stack(found).astype(np.float16), share)


@dataclass(frozen=True, slots=True)
class Across:
    """The same of one layer and several pictures: `here` `n k`, `there` `picture n k`, in one set of directions.

    `share`: of its squared length what is left of the shortest.
    """

    here: NDArray[np.float16]
    there: NDArray[np.float16]
    share: float


def across(most: int, here: Array, *there: Array) -> Across:
    """What cosines from one picture's patches, `n d`, to those of others are made of, in `most` numbers at most."""
    vectors = np.concatenate([here, *there])
    exact = in_few_directions(units(vectors), max(FEWEST, most // len(vectors)))
    found = exact.astype(np.float16)
    return Across(found[: len(here)], found[len(here) :].reshape(len(there), *here.shape[:1], -1), held(exact))


@dataclass(frozen=True, slots=True)
class Nearest:
    """In each of several pictures the patch that is nearest to one, and its cosine: `picture` each."""

    patches: NDArray[np.int32]
    cosines: Array


def nearest(patch: int, here: Array, *there: Array) -> Nearest:
    """In other pictures, `n d` each, the patch whose vector has the largest cosine with that of a patch `here`."""
    one = units(here)[patch]
    found = [units(each) @ one for each in there]
    patches = np.array([each.argmax() for each in found], np.int32)
    return Nearest(patches, np.array([each.max() for each in found], np.float32))


@dataclass(frozen=True, slots=True)
class Lengths:
    """How long tokens are before the first layer and after each, before the last norm and after it: `row t`.

    Where the last norm stands behind the pooling, `after` is `before`. `outliers` are tokens of patches that are far
    longer than others after the middle or the last layer.
    """

    before: Array
    after: Array
    outliers: NDArray[np.int32]


@no_grad
def lengths(trace: Trace) -> Lengths:
    """The Euclidean norm of every token in the residual stream, and which patches are `far_out`."""
    config, norm = trace.config, trace.model.norm
    streams = [trace.entering(0), *(trace.residual_stream(layer) for layer in range(1, config.depth + 1))]
    normalised = [it if norm is None else norm(it) for it in streams]
    before, after = (
        to_numpy(torch.stack([it[0].float().norm(dim=-1) for it in each])) for each in (streams, normalised)
    )
    first = len(config.prefix_tokens)
    found = sorted({*far_out(before[(config.depth + 1) // 2, first:]), *far_out(before[-1, first:])})
    return Lengths(before, after, first + np.array(found, np.int32))


def far_out(lengths: Array) -> list[int]:
    """Which of `n` lengths are over their median by `FAR` median deviations, and over `TWICE` the median."""
    median = np.median(lengths)
    limit = max(median + FAR * np.median(np.abs(lengths - median)), TWICE * median)
    return [int(at) for at in np.flatnonzero(lengths > limit)]


def units(vectors: Array) -> NDArray[np.float64]:
    """Vectors `n d` scaled to length 1, in float64; a zero vector stays zero."""
    exact = vectors.astype(np.float64)
    sizes = np.linalg.norm(exact, axis=1, keepdims=True)
    return exact / np.where(sizes == 0, 1, sizes)


def held(coordinates: NDArray[np.float64]) -> float:
    """What is left of the squared length 1 of the shortest of vectors, `n k`; zero vectors do not count."""
    squares = (coordinates**2).sum(axis=1)
    return float(squares[squares != 0].min(initial=1))


def in_few_directions(vectors: NDArray[np.float64], most: int) -> NDArray[np.float64]:
    """Vectors `n d` in the `most` directions that hold most of them, `n k`: their products are nearly theirs.

    They are not numbers where one of the vectors is none. Raises `DeviceError` where this would take minutes.
    """
    require_wanted()
    many, width = vectors.shape
    if (work := min(many, width) ** 2 * max(many, width)) > MOST_WORK:
        raise DeviceError(
            f"the main directions of {many:,} vectors of {width:,} numbers take {short(work)} multiply-adds, several "
            f"times, and the limit is {short(MOST_WORK)}; choose a smaller model or fewer, larger patches"
        )
    k = min(most, many, width)
    if not np.isfinite(vectors).all():
        return np.full((many, k), np.nan)
    if many < width:  # both have the same eigenvalues but for zeros; the smaller matrix is the quicker one
        squares, sides = eigh(vectors @ vectors.T)
        return sides[:, : -k - 1 : -1] * np.sqrt(np.maximum(squares[: -k - 1 : -1], 0))
    return vectors @ eigh(vectors.T @ vectors)[1][:, : -k - 1 : -1]
