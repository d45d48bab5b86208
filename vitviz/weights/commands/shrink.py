"""A checkpoint with its matrices in 8 bits, and what that costs: `vitviz weights shrink FILE`."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save
from torch import Tensor

from vitviz.images import open_image
from vitviz.images.photos import PHOTOS
from vitviz.measures import attention_weights
from vitviz.measures.arrays import Array
from vitviz.trace import record
from vitviz.weights.blueprint import Blueprint
from vitviz.weights.errors import WeightsError
from vitviz.weights.files import as_float, narrowed
from vitviz.weights.files.eight_bits import SCALE
from vitviz.weights.loading import Loaded
from vitviz.weights.sizes import parameter_shapes

TELLS_ITS_KIND = "mask_token"  # no parameter here; that a file has one tells how its positions are resized
LARGEST_HALF = torch.finfo(torch.float16).max


@dataclass(frozen=True, slots=True)
class Cost:
    """How far a model in 8 bits is from the one it was, on one picture.

    `cosines` of each token's state after the last block, `t`; `variation` of each attention row, half the sum of
    absolute differences, `layer head q`.
    """

    title: str
    cosines: Array
    variation: Array


def shrunk(plan: Blueprint) -> dict[str, Tensor]:
    """The tensors that a model reads, by their names in its file: matrices in 8 bits, all others in float16.

    The patch projection counts as no matrix: its rows are pictures, and it is small. What float16 cannot hold stays in
    float32. Raises `WeightsError` where a parameter holds other than finite numbers.
    """
    shapes = parameter_shapes(plan.config)
    matrices = {
        name
        for target, recipe in plan.recipes.items()
        if target.endswith(".weight") and len(shapes.get(target, ())) == 2
        for name in recipe.sources
        if len(plan.source.shapes[name]) >= 2
    }
    read = {name for recipe in plan.recipes.values() for name in recipe.sources}
    state = {}
    for name in plan.source.shapes:
        if name in matrices:
            state[name], state[name + SCALE] = narrowed(as_float(plan.source.read(name), name))
        elif name in read or name.endswith(TELLS_ITS_KIND):
            tensor = as_float(plan.source.read(name), name)
            state[name] = tensor.half() if float(tensor.abs().max()) <= LARGEST_HALF else tensor
    return state


def write(plan: Blueprint, path: Path) -> None:
    """Write the shrunk checkpoint to a new file. Raises `WeightsError` where there is one, `OSError`."""
    if path.exists():
        raise WeightsError(f"{path.name} is there already; delete it, or say --out with another name")
    state = {name: tensor.contiguous() for name, tensor in shrunk(plan).items()}
    unfinished = path.with_name(f"{path.name}.unfinished")
    try:
        unfinished.write_bytes(save(state))
        unfinished.rename(path)
    finally:
        unfinished.unlink(missing_ok=True)


@torch.no_grad()
def costs(before: Loaded, after: Loaded) -> Iterator[Cost]:
    """What 8 bits change, on each of the sample photographs."""
    depth = before.config.depth
    for photo in PHOTOS:
        pixels = before.preprocess(open_image(photo.read()))
        one, other = record(before.model, pixels), record(after.model, pixels)
        cosines = torch.cosine_similarity(one.residual_stream(depth)[0], other.residual_stream(depth)[0], dim=-1)
        variation = [
            np.abs(attention_weights(one, layer) - attention_weights(other, layer)).sum(-1) / 2
            for layer in range(depth)
        ]
        yield Cost(photo.title, cosines.numpy(), np.stack(variation))
