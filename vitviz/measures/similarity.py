"""Trace to numbers: which patches are alike, in one picture and from one picture to others, and how long tokens are.

Layers, patches and tokens count from 0; what is `of` a patch is one of `OF_PATCHES`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from einops import rearrange
from numpy.typing import NDArray

from vitviz.activations import INSIDE, ONCE
from vitviz.machine.device import DeviceError
from vitviz.machine.pytorch import no_grad, torch
from vitviz.machine.wanted import require_wanted
from vitviz.measures.arrays import Array, eigh, to_numpy
from vitviz.measures.attention import attention_weights
from vitviz.measures.tokens import MOST_WORK, embedded
from vitviz.numbers import short

if TYPE_CHECKING:
    from vitviz.trace import Trace

CANDIDATES = 4  # patches among which one is guessed
BLOCK = 256  # vectors whose products are held at once
FEWEST = 8  # directions that coordinates have at least, where vectors have as many
FAR, TWICE = 8, 2  # of an outlier: so many deviations over the median, and so many times the median


def way_of(of: str, depth: int) -> list[tuple[str, int]]:
    """The places that a patch comes by, each a kind and a layer: its pixels, its token and its states, or, of what it
    has inside blocks, every layer."""
    if of in INSIDE:
        return [(of, layer) for layer in range(depth)]
    return [*((each, 0) for each in ONCE), *(("state", layer) for layer in range(depth))]


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


def pairs_bytes(patches: int) -> int:
    """What the cosines of all pairs of patches take at one place, each pair once, in two bytes each."""
    return patches * (patches + 1)


@dataclass(frozen=True, slots=True)
class Pairs:
    """Cosines of all pairs of patches, each pair once: `row (n (n + 1) / 2)`, those of patch i with 0 ... i from
    i (i + 1) / 2 on.

    `error` `row`: the largest of two patches.
    """

    pairs: NDArray[np.float16]
    error: Array


def all_pairs(trace: Trace, of: str) -> Pairs:
    """The cosines of all patches with all, at every place on the way of what is `of` a patch."""
    found, errors = [], []
    once = np.tril_indices(trace.config.patches)
    for each, layer in way_of(of, trace.config.depth):
        require_wanted()
        unit = units(patch_vectors(trace, each, layer))
        exact = (unit @ unit.T)[once]
        sent = exact.astype(np.float16)
        found.append(sent)
        errors.append(np.abs(sent - exact).max())
    return Pairs(np.stack(found), np.array(errors, np.float32))


@dataclass(frozen=True, slots=True)
class Directions:
    """Vectors of length 1 in the directions that hold most of them, so that a product of two is nearly their cosine.

    `coordinates` `row n k`, to be multiplied by `steps` `row k`; `error` `row`: the largest of a cosine of two patches,
    measured over all of them.
    """

    coordinates: NDArray[np.float16] | NDArray[np.int8]
    steps: Array
    error: Array


def place_alone(trace: Trace, of: str, layer: int, most: int) -> Directions:
    """What cosines of all patches are made of at one place, in `most` bytes at most, two for a number.

    The vectors themselves where they fit, else the directions that hold most of them.
    """
    unit = units(patch_vectors(trace, of, layer))
    k = max(FEWEST, most // (2 * len(unit)))
    sent = (unit if unit.shape[1] <= k else in_few_directions(unit, k)).astype(np.float16)
    steps = np.ones(sent.shape[1], np.float32)
    return Directions(sent[None], steps[None], np.array([worst(unit, sent, steps)], np.float32))


def whole_way(trace: Trace, of: str, most: int) -> Directions:
    """The same, more coarsely, at every place on the way of what is `of` a patch, one byte for a number.

    Raises `DeviceError` where it would take minutes.
    """
    way = way_of(of, trace.config.depth)
    k = max(FEWEST, most // (len(way) * trace.config.patches))
    vectors = [units(patch_vectors(trace, each, layer)) for each, layer in way]
    rows = [in_bytes(in_few_directions(it, k)) for it in vectors]
    errors = [worst(unit, *row) for unit, row in zip(vectors, rows, strict=True)]
    wide = max(len(steps) for _, steps in rows)
    coordinates, steps = (
        np.stack([np.pad(it, [(0, 0)] * (it.ndim - 1) + [(0, wide - it.shape[-1])]) for it in each])
        for each in zip(*rows, strict=True)
    )
    return Directions(coordinates, steps, np.array(errors, np.float32))


@dataclass(frozen=True, slots=True)
class Across:
    """The same of one layer and several pictures: `here` `n k`, `there` `picture n k`, in one set of directions.

    `steps` `k`; `error`: the largest of a cosine of a patch here with one there.
    """

    here: NDArray[np.int8]
    there: NDArray[np.int8]
    steps: Array
    error: float


def across(most: int, here: Array, *there: Array) -> Across:
    """What cosines from one picture's patches, `n d`, to those of others are made of, in `most` bytes at most."""
    unit, many = units(np.concatenate([here, *there])), len(here)
    found, steps = in_bytes(in_few_directions(unit, max(FEWEST, most // len(unit))))
    error = worst(unit[:many], found[:many], steps, unit[many:], found[many:])
    return Across(found[:many], found[many:].reshape(len(there), *here.shape[:1], -1), steps, error)


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
class Candidates:
    """Patches of which one is the nearest to another after the first layer, and one after the last.

    `patches` `c`, in their order in the picture; `cosines` `2 c` with that other one, after both layers.
    """

    patches: NDArray[np.int32]
    cosines: Array


def candidates(trace: Trace, patch: int) -> Candidates:
    """The patches that are nearest to one after the first layer, after the last and by pixels, and others up to four.

    Others are the one beside it, the one farthest from it by pixels, and whatever is next nearest after the last layer.
    """
    first, last = (cosines(trace, "state", layer, patch) for layer in (0, trace.config.depth - 1))
    by_pixels = np.argsort(cosines(trace, "pixels", 0, patch))
    columns = trace.config.grid[1]
    beside = patch + 1 if (patch + 1) % columns else patch - 1
    nearest_first, nearest_last = (np.argsort(-it) for it in (first, last))
    others = (it[it != patch] for it in (nearest_first, nearest_last, by_pixels[::-1], by_pixels))
    best = [int(it[0]) for it in others if len(it)]
    wanted = dict.fromkeys([*best[:3], *([beside] if beside >= 0 and columns > 1 else []), *best[3:], *nearest_last])
    found = sorted(int(it) for it in [it for it in wanted if it != patch][:CANDIDATES])
    return Candidates(np.array(found, np.int32), np.stack([first[found], last[found]]))


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
    """The norm of every token in the residual stream, and which patches are `far_out` (Darcet et al. 2023)."""
    config, norm = trace.config, trace.model.norm
    streams = [trace.entering(0), *(trace.residual_stream(layer) for layer in range(1, config.depth + 1))]
    normalised = [it if norm is None else norm(it) for it in streams]
    before, after = (
        to_numpy(torch.stack([it[0].float().norm(dim=-1) for it in each])) for each in (streams, normalised)
    )
    first = len(config.prefix_tokens)
    found = sorted({*far_out(before[(config.depth + 1) // 2, first:]), *far_out(before[-1, first:])})
    return Lengths(before, after, first + np.array(found, np.int32))


@dataclass(frozen=True, slots=True)
class Registers:
    """What patches give to register tokens: `attention` `layer`, the share of their attention, mean over heads.

    `even` is the share that they would get if every token got as much.
    """

    attention: Array
    even: float


@no_grad
def registers(trace: Trace) -> Registers:
    """How much of the attention of patches goes to all registers together, layer by layer."""
    config = trace.config
    first = len(config.prefix_tokens)
    its = [at for at, name in enumerate(config.prefix_tokens) if name.startswith("register")]
    given = []
    for layer in range(config.depth):
        require_wanted()
        weights = attention_weights(trace, layer)[:, first:]
        given.append(weights[:, :, its].sum(axis=-1).mean())
    return Registers(np.array(given, np.float32), len(its) / config.tokens)


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


def in_bytes(coordinates: NDArray[np.float64]) -> tuple[NDArray[np.int8], Array]:
    """Coordinates `n k` in one byte each, and by what they are to be multiplied, `k`."""
    steps = np.abs(coordinates).max(axis=0) / 127
    whole = np.nan_to_num(coordinates / np.where(steps == 0, 1, steps))
    return np.rint(whole).astype(np.int8), steps.astype(np.float32)


def worst(
    unit: NDArray[np.float64],
    sent: NDArray[Any],
    steps: Array,
    others: NDArray[np.float64] | None = None,
    sent_others: NDArray[Any] | None = None,
) -> float:
    """By how much a cosine of `unit` vectors, `n d`, with `others` differs at most from that of what is `sent`, `n k`.

    Without others that of two of them, and not of one with itself.
    """
    ours, read = unit.astype(np.float32), sent.astype(np.float32) * steps
    theirs = ours if others is None else others.astype(np.float32)
    read_theirs = read if sent_others is None else sent_others.astype(np.float32) * steps
    errors = []
    for start in range(0, len(ours), BLOCK):
        require_wanted()
        its = slice(start, start + BLOCK)
        lost = np.abs(ours[its] @ theirs.T - read[its] @ read_theirs.T)
        if others is None:
            np.fill_diagonal(lost[:, start:], 0)
        errors.append(lost.max(initial=0))
    return float(max(errors))


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
