"""The model while it learned: position embeddings, filters and attention at a few steps of training."""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file

from vitviz.demo.artifacts import DATA, SNAPSHOTS, read_metrics
from vitviz.numbers import exact


@dataclass(frozen=True, slots=True)
class Snapshots:
    """Some moments of training, oldest first; moment `s` came after `steps[s]` steps.

    `positions` float32 `s t d`, `filters` float32 `s d c ph pw`, `attention` float32 `s scene layer head t`: the class
    token's weights, which sum to 1, on the scenes of `vitviz.demo.samples.WATCHED`.
    """

    steps: tuple[int, ...]
    positions: NDArray[np.float32]
    filters: NDArray[np.float32]
    attention: NDArray[np.float32]

    def looked_at(self, step: int, layer: int) -> NDArray[np.float32]:
        """What the class token looked at in a layer after so many steps, mean of the heads: `scene n`."""
        weights: NDArray[np.float32] = self.attention[self._moment(step), :, layer].mean(axis=1)[:, 1:]
        return weights

    def position_maps(self, step: int) -> NDArray[np.float32]:
        """How similar the positions of all patches were after so many steps, as cosines: `n n`."""
        positions = self.positions[self._moment(step)][1:]
        unit = positions / np.linalg.norm(positions, axis=1, keepdims=True).clip(np.finfo(np.float32).tiny)
        maps: NDArray[np.float32] = unit @ unit.T
        return maps

    def digest(self, step: int) -> str:
        """sha256 of everything that was kept after so many steps."""
        found, at = sha256(f"{step} ".encode()), self._moment(step)
        for array in (self.positions, self.filters, self.attention):
            found.update(np.ascontiguousarray(array[at], "<f4").tobytes())
        return found.hexdigest()

    def _moment(self, step: int) -> int:
        if step not in self.steps:
            steps = ", ".join(map(str, self.steps))
            raise ValueError(f"nothing was kept after {step} steps of training; there are {steps}")
        return self.steps.index(step)


@cache
def snapshots() -> Snapshots:
    """The snapshots that training wrote beside the checkpoint; all arrays are read-only."""
    return read(DATA / SNAPSHOTS)


def read(file: Path) -> Snapshots:
    """The snapshots in a file, decoded."""
    saved = load_file(file)
    arrays = (saved["positions"].astype(np.float32), saved["filters"].astype(np.float32), decode(saved["attention"]))
    for array in arrays:
        array.flags.writeable = False
    return Snapshots(tuple(saved["steps"].tolist()), *arrays)


def encode(weights: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Attention weights `... k`, each row by its own maximum, as one byte per weight that keeps small ones apart."""
    return np.rint(255 * np.sqrt(weights / weights.max(axis=-1, keepdims=True))).astype(np.uint8)


def decode(coded: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The inverse of `encode`, up to rounding; rows sum to 1 again."""
    square = coded.astype(np.float32) ** 2
    return square / square.sum(axis=-1, keepdims=True)


def when(at: int) -> str:
    """The moment in words, for a caption."""
    steps = snapshots().steps
    return "Before training" if steps[at] == 0 else f"After {exact(steps[at])} of {exact(steps[-1])} steps"


def milestone(at: int) -> dict[str, Any]:
    """What the training measured at that moment, by name."""
    step = snapshots().steps[at]
    found: dict[str, Any] = next(one for one in metrics()["milestones"] if one["step"] == step)
    return found


@cache
def metrics() -> dict[str, Any]:
    """All that training and report measured of the demo model."""
    return read_metrics()
