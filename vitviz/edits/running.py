"""What the engine runs for edits: an edited forward pass, means over scenes, causal traces, accuracy on scenes.

Like `forward.py`, which runs the plain pass: values leave, models and traces stay, PyTorch is imported when it runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from vitviz.edits import Edits, EditsError
from vitviz.edits.edit import REFERENCE_SCENES
from vitviz.forward import Forward, ForwardInfo, for_screen, require_finite
from vitviz.machine.device import require, synchronise
from vitviz.machine.price import forward_bytes
from vitviz.machine.pytorch import torch
from vitviz.machine.wanted import while_wanted
from vitviz.measures.arrays import Array, to_numpy
from vitviz.measures.classes import result
from vitviz.measures.interventions import heads_off, put_in
from vitviz.measures.quantised import quantised_forward

if TYPE_CHECKING:
    from vitviz.measures.interventions import Means
    from vitviz.weights import Loaded

ROOM = 3  # times what a plain pass takes: masks, kept scores, and the 64-bit numbers that dropout draws
AT_ONCE = 16  # scenes in a batch


class Hits(NamedTuple):
    """How many scenes were answered rightly, and of how many: things, and relations of two balls."""

    things: int
    of_things: int
    relations: int
    of_relations: int


def run_edited(plain: Forward, loaded: Loaded, edits: str, donor: Forward | None, means: Means | None) -> Forward:
    """The forward pass of `plain` with `edits`, from the first edited layer on.

    Raises `EditsError` for edits that this model cannot have, and `DeviceError` like the plain one.
    """
    from vitviz.trace import record

    model, info = loaded.model, plain.info
    edited: dict[str, Any] = {
        "edits": Edits.parse(edits, loaded.config),
        "plain": plain.trace,
        "donor": donor.trace if donor else None,
        "means": means,
    }
    require(ROOM * forward_bytes(loaded.config), "a forward pass of this model with these edits", model.device)
    image = plain.trace["image"].tensor
    started = time.perf_counter()
    trace, later = quantised_forward(model, image, **edited) if info.maps else (record(model, image, **edited), ())
    synchronise()
    seconds = time.perf_counter() - started
    require_finite(trace)
    maps = (*info.maps[: len(info.maps) - len(later)], *later)
    crop, photo = info.crop, info.shown
    if trace.repainted:
        crop = loaded.preprocess.pixels(trace["image"].tensor)
        photo = for_screen(crop, loaded.config.grid)
    return Forward(trace, ForwardInfo(crop, photo, maps, seconds, result(trace)))


def reference_means(loaded: Loaded, progress: Callable[[int, int], None] | None = None) -> Means:
    """`component_means` over the reference set: the scenes of the first validation seeds, as this model reads them.

    `progress` is told how many of how many scenes have been read.
    """
    from vitviz.demo.dataset import VALIDATION
    from vitviz.demo.scenes import render
    from vitviz.measures.interventions import component_means

    model = loaded.model

    def read() -> Iterator[torch.Tensor]:
        for done, seed in enumerate(VALIDATION[:REFERENCE_SCENES], start=1):
            yield loaded.preprocess(render(seed).image).to(model.device, model.dtype)
            if progress:
                progress(done, REFERENCE_SCENES)

    return component_means(model, read())


def describe_means(means: Means) -> dict[str, Array]:
    """The same as arrays, for a forward pass elsewhere."""
    return {name: to_numpy(mean) for name, mean in means.items()}


def heads_piece(plain: Forward, means: Means, layer: int, first: int, last: int) -> Array:
    """`heads_off` of a forward pass, each head at its mean."""
    return heads_off(plain.trace, layer, first, last, means)


def causal_piece(host: Forward, donor: Forward, layer: int, first: int, last: int) -> Array:
    """`put_in` of two forward passes."""
    return put_in(host.trace, donor.trace, layer, first, last)


def draw_scenes(first: int, last: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Test scenes number `first` to `last - 1`, which no model was trained on: pictures `b y x c` and classes `b`."""
    from vitviz.demo.dataset import TEST, draw

    drawn = draw(TEST[first:last])
    return drawn.image, drawn.label


def scene_hits(
    loaded: Loaded,
    scenes: tuple[NDArray[np.uint8], NDArray[np.int64]],
    edits: str,
    donor: Forward | None,
    means: Means | None,
) -> Hits:
    """How many scenes the edited model answers rightly. Raises `EditsError` for a model of other classes."""
    from vitviz.demo.scenes import CLASSES, THINGS
    from vitviz.trace import record

    if tuple(loaded.labels) != CLASSES:
        raise EditsError(
            f"this model has {loaded.config.classes:,} classes, and scenes have {len(CLASSES)} of their own; "
            "choose the demo model"
        )
    model, (pictures, classes) = loaded.model, scenes
    parsed, found = Edits.parse(edits, loaded.config), []
    for start in while_wanted(range(0, len(pictures), AT_ONCE)):
        batch = [loaded.preprocess(Image.fromarray(it)) for it in pictures[start : start + AT_ONCE]]
        image = torch.cat(batch).to(model.device, model.dtype)
        trace = record(model, image, edits=parsed, donor=donor.trace if donor else None, means=means)
        found.append(trace["logits"].tensor.argmax(dim=-1).cpu().numpy())
    right, things = np.concatenate(found) == classes, classes < len(THINGS)
    counts = (right[things].sum(), things.sum(), right[~things].sum(), (~things).sum())
    return Hits(*map(int, counts))
