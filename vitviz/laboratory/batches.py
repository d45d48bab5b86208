"""One picture in two batches: what a norm of each kind makes of its tokens beside others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from vitviz.forward import Forward
from vitviz.machine.pytorch import no_grad, torch
from vitviz.measures.laboratory.norms import Batched, batched

if TYPE_CHECKING:
    from vitviz.model import ViT
    from vitviz.trace import Trace
    from vitviz.weights import Loaded

NIGHT = 0.25  # of the light of day

Scenes = tuple[NDArray[np.uint8], NDArray[np.int64]]


def in_batches(
    forward: Forward, loaded: Loaded, one: Scenes, other: Scenes, night: bool, layer: int, token: int
) -> Batched:
    """`two_batches` of the forward pass that stands on a page."""
    return two_batches(forward.trace, loaded, one, other, night, layer, token)


@no_grad
def two_batches(
    trace: Trace, loaded: Loaded, one: Scenes, other: Scenes, night: bool, layer: int, token: int
) -> Batched:
    """`batched` of a picture beside the scenes of `one` batch and those of the `other`, by day or by `night`."""
    model, own = loaded.model, trace.residual_stream(layer)[:1]
    batches = [_entering(model, loaded, pictures, layer) for pictures in (one[0], darker(other[0], night))]
    batch, another = (torch.cat([own, *streams]) for streams in batches)
    return batched(batch, another, trace.config.epsilon, token)


def darker(pictures: NDArray[np.uint8], night: bool) -> NDArray[np.uint8]:
    """The same pictures with the light of night, where it is `night`."""
    return (pictures * NIGHT).astype(np.uint8) if night else pictures


def _entering(model: ViT, loaded: Loaded, pictures: NDArray[np.uint8], layer: int) -> list[torch.Tensor]:
    """What enters block `layer` of each picture alone, `1 t d` each: with batch norms, no other would change it."""
    streams = []
    for picture in pictures:
        x = model.embed(loaded.preprocess(Image.fromarray(picture)).to(model.device, model.dtype))
        for i in range(layer):
            x = model.blocks[i](model.place(x, i), scoring=model.scorings.get(i))
        streams.append(x)
    return streams
