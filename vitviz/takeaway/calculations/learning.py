"""The numbers of a model while it learned: what was kept of some moments of its training."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from vitviz.takeaway.calculations.calculation import Calculation
from vitviz.takeaway.notebook import kept

if TYPE_CHECKING:
    from pathlib import Path

    from vitviz.config import ViTConfig
    from vitviz.figures.figure import Figure
    from vitviz.measures.arrays import Array


def file_of_snapshots() -> Path:
    from vitviz.demo.artifacts import DATA, SNAPSHOTS

    return DATA / SNAPSHOTS


def looked_at(step: int, layer: int) -> Array:
    from vitviz.demo.snapshots import snapshots

    return snapshots().looked_at(step, layer)


def titles_of_scenes() -> dict[str, list[str]]:
    from vitviz.demo.samples import WATCHED

    return {"scene": [scene.title for scene in WATCHED]}


def maps_of_scenes(values: Array) -> Figure:
    from vitviz.demo.samples import WATCHED
    from vitviz.figures.laboratory.panels import panels

    maps = {scene.title: weights.reshape(12, 12) for scene, weights in zip(WATCHED, values, strict=True)}
    return panels(maps, [float(values.max())] * len(maps), "weight")


def positions_then(step: int, config: ViTConfig, patch: int) -> Array:
    from vitviz.demo.snapshots import snapshots

    return snapshots().position_maps(step)[patch].reshape(config.grid)


def map_of_positions(values: Array, patch: int) -> Figure:
    from vitviz.figures.tokens.position_embedding import similarity_map

    return similarity_map(values, patch)


Learned = partial(Calculation, given={"file": file_of_snapshots}, pictured=False, shown=False)
HEADS = Learned(
    "what the class token looked at in one layer, mean of its heads, on four scenes",
    "scene n",
    looked_at,
    kept.plain_looked_at,
    names=titles_of_scenes,
    figure=maps_of_scenes,
)
POSITIONS = Learned(
    "how similar the position of one patch was to those of all, as cosines",
    "gh gw",
    positions_then,
    kept.plain_positions_then,
    figure=map_of_positions,
)
