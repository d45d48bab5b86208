"""Trace to numbers: from pixels to tokens, and what a position adds.

All results are numpy arrays in float32 for the first picture of the batch; patches and tokens count from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from einops import rearrange

from vitviz.machine.device import DeviceError
from vitviz.machine.pytorch import F, no_grad, torch
from vitviz.measures.arrays import Array, to_numpy
from vitviz.numbers import short

if TYPE_CHECKING:
    from torch import Tensor

    from vitviz.config import ViTConfig
    from vitviz.model import ViT
    from vitviz.trace import Trace

    RGB = tuple[float, float, float]

MOST_WORK = 30_000_000_000  # of a singular value decomposition: some ten seconds


@dataclass(frozen=True, slots=True)
class Projection:
    """Equation 1 of the paper without its positions: `tokens = patches @ matrix + bias`.

    `patches` `n (c ph pw)`, `matrix` `(c ph pw) d`, `bias` `d` (0 where the model has none), `tokens` `n d`.
    """

    patches: Array
    matrix: Array
    bias: Array
    tokens: Array


@dataclass(frozen=True, slots=True)
class Components:
    """Principal components of a cloud of points, the widest direction first.

    `directions` `k features` of length 1, `coordinates` `points k`, `share` `k`: of the variance of the whole cloud.
    """

    directions: Array
    coordinates: Array
    share: Array


@dataclass(frozen=True, slots=True)
class LookUp:
    """Words become vectors: `tokens = one_hot @ table`, `word d`; `one_hot` `word id`, `table` `id d`."""

    one_hot: Array
    table: Array
    tokens: Array


def look_up(ids: Sequence[int], rows: int, width: int, seed: int) -> LookUp:
    """Words by their ids in an invented table of `rows` words of `width` numbers, which `seed` decides."""
    table = np.random.default_rng(seed).standard_normal((rows, width), dtype=np.float32)
    one_hot = np.eye(rows, dtype=np.float32)[list(ids)]
    return LookUp(one_hot, table, one_hot @ table)


def embedded(trace: Trace, name: str) -> Array:
    """An activation of the embedding by its name.

    "patches": normalised pixel values in raster order, `n (c ph pw)`; "patch_tokens": `n d`, without positions.
    """
    return to_numpy(trace.embedding()[name].tensor[0])


@no_grad
def projection(trace: Trace) -> Projection:
    """What is multiplied by the matrix E, the bias b that is added, and the tokens that come out."""
    layer, (read, made) = trace.model.patch_embed.proj, _projected(trace)
    return Projection(
        patches=to_numpy(read),
        matrix=to_numpy(rearrange(layer.weight, "d c ph pw -> (c ph pw) d")),
        bias=to_numpy(layer.weight.new_zeros(len(layer.weight)) if layer.bias is None else layer.bias),
        tokens=to_numpy(made),
    )


@no_grad
def convolved_tokens(trace: Trace) -> Array:
    """The patch tokens once more, `n d`, by a convolution whose stride is its kernel size."""
    layer, (read, _), (gh, gw) = trace.model.patch_embed.proj, _projected(trace), trace.config.grid
    ph, pw = layer.kernel_size
    picture = rearrange(read, "(gh gw) (c ph pw) -> 1 c (gh ph) (gw pw)", gh=gh, gw=gw, ph=ph, pw=pw)
    tokens = F.conv2d(picture, layer.weight, layer.bias, stride=layer.stride)
    return to_numpy(rearrange(tokens, "1 d gh gw -> (gh gw) d"))


class Channels(NamedTuple):
    """A picture in grey through a model of three channels, or of one: its tokens `n d` and its logits."""

    tokens: Array
    logits: Array


@no_grad
def in_grey(trace: Trace, mean: RGB, std: RGB, luminance: RGB) -> tuple[Channels, Channels]:
    """The picture in grey through the model, as three equal channels, and through `of_one_channel`, as one.

    `mean` and `std` are those by which the picture was normalised, `luminance` what red, green and blue weigh in grey.
    """
    image = trace["image"].tensor[:1]
    means, deviations, weights = (image.new_tensor(it).view(1, 3, 1, 1) for it in (mean, std, luminance))
    grey = ((image * deviations + means) * weights).sum(dim=1, keepdim=True)
    equal = (grey - means) / deviations
    return _seen(trace.model, equal), _seen(of_one_channel(trace.model, mean, std), equal[:, :1])


def one_channel(config: ViTConfig, mean: RGB) -> ViTConfig:
    """The same with one channel; with a bias in the patch embedding where the means of red, green and blue differ."""
    return config.with_(channels=1, patch_bias=config.patch_bias or len({*mean}) > 1)


@no_grad
def of_one_channel(model: ViT, mean: RGB, std: RGB) -> ViT:
    """The model of one channel, normalised like red, that makes of a grey picture what `model` makes of it in three.

    With x_c = (grey - mean_c) / std_c, channel c is x_red · std_red / std_c + (mean_red - mean_c) / std_c: the filters
    are added up, each as many times as its factor, and what its summand makes enters the bias.
    """
    from vitviz.model import ViT

    filters, bias = model.patch_embed.proj.weight, model.patch_embed.proj.bias
    means, deviations = (filters.new_tensor(it).view(1, 3, 1, 1) for it in (mean, std))
    config = one_channel(model.config, mean)
    state = dict(model.state_dict())
    state["patch_embed.proj.weight"] = (filters * deviations[:, :1] / deviations).sum(dim=1, keepdim=True)
    if config.patch_bias:
        added = (filters * (means[:, :1] - means) / deviations).sum(dim=(1, 2, 3))
        state["patch_embed.proj.bias"] = added if bias is None else bias + added
    with torch.device("meta"):
        one = ViT(config)
    parameters = {name: torch.nn.Parameter(it, requires_grad=False) for name, it in state.items()}
    one.load_state_dict(parameters, assign=True)
    return one.eval()


def _seen(model: ViT, image: Tensor) -> Channels:
    tokens = model.patch_embed(image)
    return Channels(to_numpy(tokens[0]), to_numpy(model(image)[0]))


@dataclass(frozen=True, slots=True)
class StemMap:
    """A map of the stem: rows and columns, how many channels, and its places on their first components, `n 3`."""

    size: tuple[int, int]
    channels: int
    coordinates: Array


def stem_maps(trace: Trace) -> list[StemMap]:
    """The maps that a stem of convolutions makes, in order; none where patches are projected."""
    maps = [it.tensor[0] for name, it in trace.embedding().items() if name.startswith("stem.")]
    return [_stem_map(to_numpy(map_)) for map_ in maps]


def _stem_map(channels: Array) -> StemMap:
    places = rearrange(channels, "c rows columns -> (rows columns) c")
    return StemMap(channels.shape[1:], len(channels), principal_components(places, 3).coordinates)


@no_grad
def filters(model: ViT) -> Array:
    """The columns of E as the pictures they are: `d c ph pw`; behind a stem of convolutions `d s sh sw`."""
    return to_numpy(model.patch_embed.proj.weight)


def filter_components(model: ViT, most: int) -> Components:
    """The first principal components of the filters, `features` = `(c ph pw)`."""
    return principal_components(rearrange(filters(model), "d c ph pw -> d (c ph pw)"), most)


def token_components(trace: Trace, most: int) -> Components:
    """The first principal components of the patch tokens, before positions are added; `features` = `d`."""
    return principal_components(embedded(trace, "patch_tokens"), most)


@no_grad
def positions(trace: Trace) -> Array:
    """The position embedding, of the first layer where each has its own: `t d`, prefix tokens first; 0 for none."""
    return to_numpy(trace.model.positions()[0])


def patch_positions(trace: Trace) -> Array:
    """The position embedding of the patches alone, `n d`: without the prefix tokens, whatever their number."""
    return positions(trace)[len(trace.config.prefix_tokens) :]


def position_components(trace: Trace, most: int) -> Components:
    """The first principal components of the patches' positions; `features` = `d`."""
    return principal_components(patch_positions(trace), most)


@no_grad
def placed_tokens(trace: Trace) -> Array:
    """Tokens plus positions, prefix tokens first, `t d`: what enters the first block, or the norm before it."""
    if trace.config.positions_at != "stem":
        return to_numpy(trace.entering(0)[0])
    return embedded(trace, "tokens" if trace.config.input_norm else "resid_post")


def position_maps(trace: Trace, top: int = 0, left: int = 0, step: int = 1) -> Array:
    """How similar the positions of patches are: the map of every `step`th patch each way, from (`top`, `left`) on.

    `down across gh gw`, each from -1 to 1. Of relative positions: what they add to the scores of two patches, mean over
    layers and heads, as a share of the largest. Of rotary ones: how much of q·k stays of two equal vectors, turned by
    the angles of both patches, mean over the pairs of components.
    """
    if trace.config.positions == "relative":
        rows, columns = trace.config.grid
        return relative_maps(trace).reshape(rows, columns, rows, columns)[top::step, left::step]
    if (angles := trace.angles(0)) is not None:
        return turned_alike(angles[len(trace.config.prefix_tokens) :], trace.config.grid)[top::step, left::step]
    return similarity_maps(patch_positions(trace), trace.config.grid, top, left, step)


@no_grad
def turned_alike(angles: Tensor, grid: tuple[int, int]) -> Array:
    """The mean cosine of the angles between patches, `n pairs -> gh gw gh gw`: 1 where both are turned alike."""
    sin, cos = angles.float().sin(), angles.float().cos()
    return to_numpy((sin @ sin.T + cos @ cos.T) / angles.shape[1]).reshape(*grid, *grid)


@no_grad
def relative_maps(trace: Trace) -> Array:
    """What relative positions add to the scores of two patches, mean over layers and heads, 1 the largest: `n n`."""
    prefix = len(trace.config.prefix_tokens)
    biases = (trace.bias(layer) for layer in range(trace.config.depth))
    mean = torch.stack([bias.float().mean(dim=0) for bias in biases if bias is not None]).mean(dim=0)[prefix:, prefix:]
    return to_numpy(mean / mean.abs().max().clamp_min(torch.finfo(torch.float32).tiny))


def similarity_maps(rows: Array, grid: tuple[int, int], top: int = 0, left: int = 0, step: int = 1) -> Array:
    """Cosine similarity of vectors on a grid, `(gh gw) d`: one map for each chosen cell, `down across gh gw`."""
    cells = rows.reshape(*grid, -1)[top::step, left::step]
    maps = cosine_similarity(cells.reshape(-1, rows.shape[1]), rows)
    return maps.reshape(*cells.shape[:2], *grid)


def cosine_similarity(rows: Array, others: Array) -> Array:
    """Cosine of the angle between each of `m d` and each of `n d`: `m n`, from -1 to 1; a zero vector has 0."""
    return _unit(rows) @ _unit(others).T


def principal_components(points: Array, most: int) -> Components:
    """At most `most` principal components of `points features`; fewer where the cloud has fewer dimensions.

    Their sign is free, so it is fixed: the entry of largest size in each direction is positive. Raises `DeviceError`
    where they would take minutes.
    """
    if (work := min(points.shape) ** 2 * max(points.shape)) > MOST_WORK:
        raise DeviceError(
            f"the principal components of {points.shape[0]:,} vectors of {points.shape[1]:,} numbers take "
            f"{short(work)} multiply-adds, several times, and the limit is {short(MOST_WORK)}; choose a smaller model"
        )
    centred = points.astype(np.float64)  # in float32 they would be the processor's own in the fifth digit
    centred -= centred.mean(axis=0)
    _, lengths, directions = np.linalg.svd(centred, full_matrices=False)  # also in the app, which has no PyTorch
    number = max(1, min(most, len(points) - 1, points.shape[1]))
    directions = directions[:number]
    largest = np.abs(directions).argmax(axis=1, keepdims=True)
    directions = directions * np.sign(np.take_along_axis(directions, largest, axis=1))
    variance = lengths**2
    share = variance[:number] / max(variance.sum(), np.finfo(np.float32).tiny)
    return Components(*(it.astype(np.float32) for it in (directions, centred @ directions.T, share)))


def _projected(trace: Trace) -> tuple[Tensor, Tensor]:
    """What the projection reads, the last to be as long as a patch, and makes, the first to be as long as a token."""
    inside = trace.embedding().values()
    read = [it for it in inside if it.axes in ("b n (c ph pw)", "b n (s sh sw)")][-1]
    made = next(it for it in inside if it.axes == "b n d")
    return read.tensor[0], made.tensor[0]


def _unit(rows: Array) -> Array:
    """Rows scaled to length 1; a zero row stays zero."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths == 0, 1, lengths), np.float32)
