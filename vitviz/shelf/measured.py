"""What the siblings reached, as the command that trained them wrote it down, and what was published beside it."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from vitviz.shelf.rows import DATA

METRICS = "metrics.json"
MEASURES = {"things": "accuracy_things", "relations": "accuracy_relations", "all": "accuracy"}
HEADS = ("seeds", *MEASURES, "the paper's")
# Dosovitskiy et al. 2020, table 8: ImageNet, 5-shot linear, ViT-B/16
PUBLISHED = {
    "none": 0.61382,
    "learned": 0.64206,
    "learned_2d": 0.64001,
    "relative": 0.64032,
    "learned_every_layer": 0.63964,
    "learned_2d_every_layer": 0.64046,
    "learned_every_layer_shared": 0.64292,
    "learned_2d_every_layer_shared": 0.64022,
}
# The same, table 5: ImageNet top-1 in percent, fine-tuned at 384 pixels, after so many pictures of pre-training
PRE_TRAINED = {"ImageNet": 1_300_000, "ImageNet-21k": 14_000_000, "JFT-300M": 303_000_000}
PUBLISHED_BY_DATA = {
    "ViT-B/16": (77.91, 83.97, 84.15),
    "ViT-B/32": (73.38, 81.28, 80.73),
    "ViT-L/16": (76.53, 85.15, 87.12),
    "ViT-L/32": (71.16, 80.99, 84.37),
}


@dataclass(frozen=True, slots=True)
class Measured:
    """A row over its seeds: the accuracy at the end of each training by `MEASURES`, and what the trainings cost."""

    row: str
    seeds: tuple[int, ...]
    accuracy: dict[str, tuple[float, ...]]
    parameters: int
    steps: int
    cpu_minutes: tuple[float, ...]
    losses: tuple[tuple[float, ...], ...]
    diverged: int

    def mean(self, measure: str) -> float:
        """Over the seeds."""
        return sum(self.accuracy[measure]) / len(self.seeds)

    def span(self, measure: str) -> tuple[float, float]:
        """The least and the most."""
        return min(self.accuracy[measure]), max(self.accuracy[measure])


def cells(found: Measured, published: Mapping[str, float]) -> list[str]:
    """What a table says of a row, under `HEADS`: mean and range over the seeds, and what was published."""
    return [
        str(len(found.seeds)),
        *(mean_and_range(found.accuracy[it]) for it in MEASURES),
        as_published(found.row, published),
    ]


def as_published(row: str, published: Mapping[str, float] = PUBLISHED) -> str:
    """The paper's figure with all its digits: in three of them, most kinds of positions would be one."""
    return f"{published[row]:.5f}" if row in published else "–"


def read(folder: Path = DATA) -> dict[str, Any]:
    """What was measured so far: the recipe, and an entry for each trained model."""
    file = folder / METRICS
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def of(row: str, results: dict[str, Any]) -> Measured | None:
    """A row over all its seeds; None where none is trained yet."""
    entries = sorted(_entries(row, results), key=lambda it: it["seed"])
    if not entries:
        return None
    last = [it["tested"][-1] for it in entries]
    return Measured(
        row,
        tuple(it["seed"] for it in entries),
        {name: tuple(it[key] for it in last) for name, key in MEASURES.items()},
        entries[0]["parameters"],
        max(it["step"] for it in last),
        tuple(it["cpu_minutes"] for it in entries),
        tuple(tuple(it["losses"]) for it in entries),
        sum(it["diverged"] for it in entries),
    )


def all_of(rows: Iterable[str], results: dict[str, Any] | None = None) -> list[Measured]:
    """Those rows that are trained."""
    results_ = shipped() if results is None else results
    return [found for row in rows if (found := of(row, results_))]


@cache
def shipped() -> dict[str, Any]:
    """What lies in the package."""
    return read()


def mean_and_range(values: Sequence[float]) -> str:
    """ "0.977 (0.972 to 0.981)"; of a single value no range."""
    mean = f"{sum(values) / len(values):.3f}"
    return mean if len(values) == 1 else f"{mean} ({min(values):.3f} to {max(values):.3f})"


def _entries(row: str, results: dict[str, Any]) -> list[dict[str, Any]]:
    return [it for name, it in results.items() if name != "recipe" and it["row"] == row]
