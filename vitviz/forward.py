"""What the engine runs for a page: picture and model become a forward pass, and what a page is told of each.

Pictures, models and traces stay where they were made. What leaves are values: `Photo`, `ModelInfo`, `ForwardInfo`.
Whoever asks for these functions imports no PyTorch; they do, when they run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from vitviz.config import ViTConfig
from vitviz.images import Crop, Preprocess
from vitviz.images.flat import flat_share
from vitviz.machine.device import DeviceError, require, synchronise
from vitviz.machine.price import GPU_BYTES_AT_ONCE, MOST_AT_ONCE, forward_bytes
from vitviz.machine.pytorch import torch
from vitviz.measures.arrays import Array
from vitviz.measures.classes import result
from vitviz.measures.quantised import Quantised, quantised_forwards

if TYPE_CHECKING:
    from vitviz.trace import Trace
    from vitviz.weights import Loaded, Sources

T = TypeVar("T")

SCREEN = 1024  # pixels of a picture's longer side that a page draws


@dataclass(frozen=True, slots=True)
class Photo:
    """A picture that was opened: its size in pixels, `notes` on what of the file is not shown, and how much is flat."""

    width: int
    height: int
    notes: tuple[str, ...]
    flat: float

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.width, self.height


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What is known of a model that is ready: all of `Loaded` but the model; `device` is the kind it lies on."""

    config: ViTConfig
    labels: Sequence[str]
    preprocess: Preprocess
    trained: bool
    preprocesses: Mapping[str, Preprocess]
    notes: tuple[str, ...]
    sources: Sources | None
    device: str


@dataclass(frozen=True, slots=True)
class ModelInput:
    """What a model sees of a picture: `crop` are its pixels, `h w c` in bytes; `shown` is drawn of them."""

    crop: NDArray[np.uint8]
    shown: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class ForwardInfo(ModelInput):
    """What a model made of a picture that it saw.

    `maps` holds each layer's attention weights, `head q k`, quantised, where they were asked for; `seconds` is the time
    of the forward pass with the quantising; `logits` are the model's own, or the vector that a head would read.
    """

    maps: tuple[Quantised, ...]
    seconds: float
    logits: Array


@dataclass(frozen=True, slots=True)
class Embedding:
    """A forward pass up to its first block: a trace for measures that read no block, and what pages are told of it."""

    trace: Trace
    info: ModelInput

    @property
    def nbytes(self) -> int:
        """Bytes of the trace; those of `info` are counted where that is kept by itself."""
        return self.trace.nbytes


@dataclass(frozen=True, slots=True)
class Forward(Embedding):
    """A forward pass: its trace, from which measures are made, and what pages are told of it."""

    info: ForwardInfo


class FileInfo(NamedTuple):
    """What was understood of a checkpoint: sizes, preprocessing by library, tensors left out, and assumptions."""

    config: ViTConfig
    libraries: list[str]
    notes: tuple[str, ...]
    assumptions: dict[str, str]


def load_model(source: str, **settings: Any) -> Loaded:
    """`weights.load`."""
    from vitviz.weights import load

    return load(source, **settings)


def build_model(config: ViTConfig, **settings: Any) -> Loaded:
    """`weights.build`."""
    from vitviz.weights import build

    return build(config, **settings)


def look_into(path: str, **settings: Any) -> FileInfo:
    """What `weights.inspect` infers from the names and shapes in a file."""
    from vitviz.weights import inspect

    plan = inspect(path, **settings)
    return FileInfo(plan.config, list(plan.preprocesses), plan.notes, plan.assumptions)


def run_forward(
    loaded: Loaded, picture: Image.Image | Embedding, with_maps: bool, chosen: Crop | None = None
) -> Forward:
    """Run the model of `loaded` on `picture`, or on the `chosen` square of it, and keep its trace.

    Where what stands before the first block was made already, that is the picture, and nothing of it is cut out again.
    Raises `DeviceMemoryError` where the forward pass, or the attention that pages will ask for, does not fit, and
    `DeviceError` where its numbers grow beyond all bounds.
    """
    return run_forwards(loaded, [picture], with_maps, chosen)[0]


def run_embedding(loaded: Loaded, picture: Image.Image, chosen: Crop | None = None) -> Embedding:
    """Run the model of `loaded` on `picture`, or on the `chosen` square of it, up to its first block."""
    from vitviz.trace import record_embedding

    pixels, seen = _read(loaded, picture, chosen)
    return Embedding(record_embedding(loaded.model, pixels), seen)


def run_forwards(
    loaded: Loaded, pictures: Sequence[Image.Image | Embedding], with_maps: bool, chosen: Crop | None = None
) -> list[Forward]:
    """Run the model of `loaded` on all `pictures` at once; raises where one of them fails."""
    from vitviz.trace import record

    model, most = loaded.model, len(pictures) * forward_bytes(loaded.config)
    require(most, "a forward pass of this model, with its attention written out,", model.device)
    images, all_seen = zip(*(_read(loaded, picture, chosen) for picture in pictures), strict=True)
    pixels = torch.cat(images)
    started = time.perf_counter()
    all_of_them, layers = quantised_forwards(model, pixels) if with_maps else (record(model, pixels), ())
    synchronise()
    seconds = time.perf_counter() - started
    forwards = []
    for at, seen in enumerate(all_seen):
        trace = all_of_them.of(at) if len(all_seen) > 1 else all_of_them
        require_finite(trace)
        maps = tuple(layer[at] for layer in layers)
        forwards.append(Forward(trace, ForwardInfo(seen.crop, seen.shown, maps, seconds, result(trace))))
    return forwards


def _read(loaded: Loaded, picture: Image.Image | Embedding, chosen: Crop | None) -> tuple[torch.Tensor, ModelInput]:
    """What the model reads, `1 c h w`, and what pages are told of that."""
    if isinstance(picture, Embedding):
        return picture.trace["image"].tensor, picture.info
    crop = loaded.preprocess.crop(picture, chosen)
    read = loaded.preprocess.normalised(crop).to(loaded.model.device, loaded.model.dtype)
    pixels = np.asarray(crop)
    return read, ModelInput(pixels, for_screen(pixels, loaded.config.grid))


def pictures_at_once(loaded: Loaded, *_: Any) -> int:
    """How many pictures a GPU takes in about the time of one; a CPU has its hands full with one.

    A batch norm would let each picture see the others.
    """
    config = loaded.config
    if loaded.model.device.type == "cpu" or config.norm == "batch":
        return 1
    return max(1, min(MOST_AT_ONCE, GPU_BYTES_AT_ONCE // forward_bytes(config)))


def require_finite(trace: Trace) -> None:
    """Raise `DeviceError` where the last block leaves an infinite number or NaN, as one anywhere before it does."""
    last = trace[f"blocks.{trace.config.depth - 1}.resid_post"].tensor
    if not (last.isfinite().all() and np.isfinite(result(trace)).all()):
        kind = str(last.dtype).removeprefix("torch.")
        raise DeviceError(
            f"the forward pass of this model leaves the range of {kind} numbers (infinity or NaN), so nothing of it "
            "can be shown; choose another model, a larger epsilon, or precision fp32"
        )


def for_screen(pixels: NDArray[np.uint8], grid: tuple[int, int]) -> NDArray[np.uint8]:
    """`h w c`, no larger than a screen shows, with whole pixels for every patch of `grid`."""
    (rows, columns), (high, wide, _) = grid, pixels.shape
    if max(high, wide) <= SCREEN:
        return pixels
    tall, across = (max(1, side * SCREEN // max(high, wide) // many) for side, many in ((high, rows), (wide, columns)))
    if tall * rows >= high:
        return pixels
    return np.asarray(Image.fromarray(pixels).resize((columns * across, rows * tall), Image.Resampling.BOX))


def describe_photo(picture: Image.Image) -> Photo:
    """What a page is told of a picture."""
    return Photo(*picture.size, picture.info["notes"], flat_share(picture))


def copy_photo(picture: Image.Image) -> NDArray[np.uint8]:
    """A copy of the whole picture for screens, `h w c`: megabytes, which only a page that draws it asks for."""
    copy = picture.convert("RGB")
    copy.thumbnail((SCREEN, SCREEN))
    return np.asarray(copy)


def write_photo(picture: Image.Image) -> bytes:
    """The whole picture as PNG: its pixels, and nothing that its file says besides them."""
    buffer = BytesIO()
    Image.fromarray(np.asarray(picture.convert("RGB"))).save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()


def write_input(embedding: Embedding) -> bytes:
    """The pixels that the model sees as PNG."""
    buffer = BytesIO()
    Image.fromarray(embedding.info.crop).save(buffer, "PNG")
    return buffer.getvalue()


def describe_model(loaded: Loaded) -> ModelInfo:
    """What a page is told of a model."""
    return ModelInfo(
        loaded.config,
        loaded.labels,
        loaded.preprocess,
        loaded.trained,
        loaded.preprocesses,
        loaded.notes,
        loaded.sources,
        loaded.model.device.type,
    )


def model_parameters(loaded: Loaded) -> dict[str, NDArray[Any]]:
    """`weights.arrays.parameters`."""
    from vitviz.weights.arrays import parameters

    return parameters(loaded)


def describe_forward(forward: Forward) -> ForwardInfo:
    """What a page is told of a forward pass."""
    return forward.info


def describe_embedding(embedding: Embedding) -> ModelInput:
    """What a page is told of what the model sees."""
    return embedding.info


def measure_model(loaded: Loaded, function: Callable[..., T], *args: Any) -> T:
    """`function` of the model alone."""
    return function(loaded.model, *args)


def measure(forward: Embedding, function: Callable[..., T], *args: Any, **options: Any) -> T:
    """`function` of the trace."""
    return function(forward.trace, *args, **options)
