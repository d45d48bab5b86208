"""Scenes as arrays: which seeds are for learning and which for testing, the cache on disk, the input of the model."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import count, islice
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from einops import rearrange, reduce
from numpy.typing import NDArray

from vitviz.demo.scenes import BLUE, CLASSES, SIZE, THINGS, paint
from vitviz.machine.pytorch import torch

if TYPE_CHECKING:
    from torch import Tensor

MEAN, STD = 0.5, 0.25  # of every channel, on pixels from 0 to 1
GRID = 12
PATCH = SIZE // GRID
TEST = range(10_000_000, 10_002_000)
VALIDATION = range(20_000_000, 20_000_320)


def training_seeds() -> Iterator[int]:
    """Endless seeds of which half show things and half show balls, though there are three times as many things."""
    return (seed for seed in count() if seed % len(CLASSES) >= len(THINGS) or seed // len(CLASSES) % 3 == 0)


class Pictures:
    """Many scenes: `image` uint8 `b y x c`, `label` `b`, and `cover` uint8 `b part n`: how many pixels of each patch
    belong to the thing or red ball (part 0) and to the blue ball (part 1), 0 to 64."""

    def __init__(self, image: NDArray[np.uint8], label: NDArray[np.int64], cover: NDArray[np.uint8]) -> None:
        self.image, self.label, self.cover = image, label, cover

    def __len__(self) -> int:
        return len(self.label)

    @property
    def target(self) -> NDArray[np.float32]:
        """Share of each patch that the target covers, `b n`."""
        return self.cover.sum(axis=1).astype(np.float32) / PATCH**2


def draw(seeds: Iterable[int], workers: int = 0, light: float = 1) -> Pictures:
    """Draw the scenes of `seeds`, in as many processes as `workers` says (0: in this one)."""
    seeds = tuple(seeds)
    arrays = partial(_arrays, light=light)
    if workers:
        with get_context("spawn").Pool(workers) as pool:
            drawn = pool.map(arrays, seeds, chunksize=64)
    else:
        drawn = list(map(arrays, seeds))
    images, covers = zip(*drawn, strict=True)
    return Pictures(np.stack(images), np.array(seeds) % len(CLASSES), np.stack(covers))


def training_pictures(number: int, folder: Path, workers: int = 0, light: float = 1) -> Pictures:
    """The first `number` training scenes, drawn once and then read from `folder`.

    The file's name carries a hash of the first scenes, so a changed drawing is never mistaken for the old one.
    """
    sample = hashlib.sha256(draw(islice(training_seeds(), 32), light=light).image.tobytes()).hexdigest()[:12]
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"pictures-{number}-{sample}.npz"
    if not file.exists():
        drawn = draw(islice(training_seeds(), number), workers, light)
        unfinished = file.with_suffix(".part.npz")
        np.savez(unfinished, image=drawn.image, label=drawn.label, cover=drawn.cover)
        unfinished.replace(file)
    with np.load(file) as arrays:
        return Pictures(arrays["image"], arrays["label"], arrays["cover"])


def to_input(image: Tensor) -> Tensor:
    """uint8 `b y x c` to what the model takes: float `b c y x`, mean 0 and spread about 1."""
    return (rearrange(image, "b y x c -> b c y x").float() / 255 - MEAN) / STD


def to_tensor(array: NDArray[np.uint8], device: torch.device) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(array)).to(device)


def _arrays(seed: int, light: float) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    image, objects = paint(seed, light)
    parts = np.stack([(objects > 0) & (objects != BLUE), objects == BLUE])
    cover = reduce(parts.astype(np.uint8), "part (gh ph) (gw pw) -> part (gh gw)", "sum", ph=PATCH, pw=PATCH)
    return np.asarray(image), cover
