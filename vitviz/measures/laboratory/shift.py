"""What a model makes of a picture that is moved to the right, pixel by pixel: does its map move along?

A map has a place for every so many pixels; each pixel of the picture has the vector of the place that it lies in. A map
moves along where the pixel that was at x, and is now at x + s, keeps its vector: it is equivariant. Max-pooling
forgives a convolution's map what the move of a pixel changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from vitviz.activations import last_tokens
from vitviz.machine.pytorch import F, no_grad, torch
from vitviz.machine.wanted import while_wanted
from vitviz.measures.arrays import Array, to_numpy

if TYPE_CHECKING:
    from torch import Tensor

    from vitviz.trace import Trace

MOST = 16  # pixels; a picture is moved by 0 to so many
CNN_LAYERS = [(3, 2)] * 3 + [(3, 1)] * 4  # kernel and stride of the shelf's network
COLOURS = 3
REACH = 2.5  # standard deviations of a component that its colour shows
WINDOWS = 1, 2, 4, 8, 16  # sides of what is pooled; 1 is the map itself


class Network(Protocol):
    """A convolutional network: its first layers, its last map, and what it answers to that."""

    stem: Any

    def features(self, image: Tensor) -> Tensor:
        """`b c y x -> b d gh gw`"""

    def classify(self, features: Tensor) -> Tensor:
        """`b d gh gw -> b classes`"""


class Seen(NamedTuple):
    """What a model makes of one picture: its first and its last map, `d gh gw`, and logits, `classes`."""

    first: Tensor
    last: Tensor
    logits: Tensor


@dataclass(frozen=True, slots=True)
class Moved:
    """What a model makes of a picture that is moved by 0 pixels, 1, 2 ...: so many `shift`s.

    `first` and `last` maps, three principal components of the map that was not moved as red, green and blue,
    `shift gh gw 3` in bytes. `first_kept` and `last_kept`: how like the vectors of pixels stay, `shift`.
    `probabilities`, `shift classes`, have no columns where there is no head.
    """

    first: NDArray[np.uint8]
    last: NDArray[np.uint8]
    first_kept: Array
    last_kept: Array
    probabilities: Array


@no_grad
def moved_tokens(trace: Trace, most: int = MOST) -> Moved:
    """Of a Vision Transformer: its patch tokens before the first block, and after the last norm."""
    model, config = trace.model, trace.config

    def see(image: Tensor) -> Seen:
        from vitviz.recording import into

        values: dict[str, Tensor] = {}
        logits = model(image, into(values))[0]
        streams = (values[name][0, len(config.prefix_tokens) :] for name in ("embed.resid_post", last_tokens(config)))
        first, last = (stream.T.reshape(config.dim, *config.grid) for stream in streams)
        return Seen(first, last, logits if config.classes else logits[:0])

    return _moved(trace["image"].tensor[:1], see, most)


@no_grad
def moved_features(cnn: Network, image: Tensor) -> Moved:
    """Of the convolutional network: the map after its first layer, and the one that its head reads the mean of."""

    def see(image: Tensor) -> Seen:
        features = cnn.features(image)
        return Seen(cnn.stem[0](image)[0], features[0], cnn.classify(features)[0])

    return _moved(image, see, MOST)


def shifted(image: Tensor, pixels: int) -> Tensor:
    """A picture moved to the right, `... y x`; its first column fills what becomes free."""
    return F.pad(image, (pixels, 0, 0, 0), mode="replicate")[..., : image.shape[-1]] if pixels else image


def similarity(before: Tensor, after: Tensor, pixels: int, width: int) -> float:
    """How like the vectors of a picture's pixels are before and after it was moved, -1 to 1.

    The mean, over all pixels of a row of `width` that stay in sight and over all rows, of the cosine of two vectors of
    maps `d gh gw`, each less the mean of the map that was not moved. Pixels of the same two places have the same one.
    """
    columns = torch.arange(width - pixels, device=before.device)
    side = width // before.shape[-1]
    places = torch.stack([columns // side, (columns + pixels) // side])
    (place, place_after), times = torch.unique(places, dim=1, return_counts=True)
    mean = before.mean(dim=(1, 2), keepdim=True)
    cosines = F.cosine_similarity((before - mean)[..., place], (after - mean)[..., place_after], dim=0)
    return float((cosines.mean(dim=0) * times).sum() / len(columns))


def receptive_fields(layers: list[tuple[int, int]]) -> Iterator[int]:
    """The pixels a side that a place of the map sees after each layer of (kernel, stride)."""
    side, step = 1, 1
    for kernel, stride in layers:
        side, step = side + (kernel - 1) * step, step * stride
        yield side


def _moved(image: Tensor, see: Callable[[Tensor], Seen], most: int) -> Moved:
    width = image.shape[-1]
    all_seen = [see(shifted(image, pixels)) for pixels in while_wanted(range(most + 1))]
    still = all_seen[0]
    colours = [_colours(before) for before in still[:2]]
    first, last = (np.stack([paint(seen[at]) for seen in all_seen]) for at, paint in enumerate(colours))
    first_kept, last_kept = (
        np.array([similarity(still[at], seen[at], pixels, width) for pixels, seen in enumerate(all_seen)], np.float32)
        for at in range(2)
    )
    logits = torch.stack([seen.logits.float() for seen in all_seen])
    return Moved(first, last, first_kept, last_kept, to_numpy(logits.softmax(dim=-1)))


def _colours(before: Tensor) -> Callable[[Tensor], NDArray[np.uint8]]:
    """What paints a map, `d gh gw -> gh gw 3`, by the principal components of one."""
    vectors = before.flatten(1).float()
    mean = vectors.mean(dim=1, keepdim=True)
    directions, lengths = _main_directions(vectors - mean)
    directions = directions * directions.gather(0, directions.abs().argmax(dim=0)[None]).sign()
    spread = (lengths / vectors.shape[1] ** 0.5).clamp(min=1e-12)

    def paint(values: Tensor) -> NDArray[np.uint8]:
        scores = directions.T @ (values.flatten(1).float() - mean) / (REACH * spread[:, None])
        missing = F.pad(scores, (0, 0, 0, COLOURS - len(scores)))
        bytes_ = (127.5 + 127.5 * missing.clamp(-1, 1)).round()
        return np.asarray(to_numpy(bytes_.T.reshape(*values.shape[1:], COLOURS)), np.uint8)

    return paint


def _main_directions(vectors: Tensor) -> tuple[Tensor, Tensor]:
    """The `COLOURS` singular vectors of a matrix `d n` that hold most of it, `d 3`, and their singular values.

    Of few directions and many places the square matrix is the quicker one, by a hundred times for a map of 48 x 48.
    """
    if vectors.shape[0] > vectors.shape[1]:
        directions, lengths, _ = torch.linalg.svd(vectors, full_matrices=False)
        return directions[:, :COLOURS], lengths[:COLOURS]
    exact = vectors.double()
    squares, directions = torch.linalg.eigh(exact @ exact.T)
    return directions.flip(1)[:, :COLOURS].float(), squares.flip(0)[:COLOURS].clamp(min=0).sqrt().float()


@dataclass(frozen=True, slots=True)
class Pooled:
    """One channel's maps with each window, `window` of `gh gw`: the picture as it stands, and moved by one pixel.

    How like the maps of all channels are, by place, `window`: `similarity` by the maximum of each window, `skipped`
    where one place of each window is read, which is no coarser.
    """

    still: tuple[Array, ...]
    moved: tuple[Array, ...]
    similarity: Array
    skipped: Array


@no_grad
def max_pooled(cnn: Network, image: Tensor) -> Pooled:
    """The network's first filters at every pixel, pooled; of the channel that differs most over the picture."""
    still, moved = (dense(cnn, it) for it in (image, shifted(image, 1)))
    channel = int(still.flatten(1).var(dim=1).argmax())
    maps = [[F.max_pool2d(it, side) for it in (still, moved)] for side in WINDOWS]
    coarse = [[it[:, ::side, ::side] for it in (still, moved)] for side in WINDOWS]
    alike = [[similarity(one, other, 0, one.shape[-1]) for one, other in pairs] for pairs in (maps, coarse)]
    befores, afters = ([to_numpy(pair[at][channel]) for pair in maps] for at in range(2))
    return Pooled(tuple(befores), tuple(afters), *(np.array(it, np.float32) for it in alike))


def dense(cnn: Network, image: Tensor) -> Tensor:
    """The first layer's map with a place for every pixel, where the network itself takes every second: `d y x`."""
    first: Any = cnn.stem[0]
    found: Tensor = F.relu(first.norm(F.conv2d(image, first.conv.weight, padding=1)))[0]
    return found
