"""Siblings: what small models, one switch apart and trained alike, reached; each can be put on screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vitviz.calculation import Calculation, Calculations
from vitviz.cards import papers_of
from vitviz.choice import Choice
from vitviz.config import ViTConfig
from vitviz.page import Page
from vitviz.shelf.rows import DATA_SIZE, FIGURE_9, ROWS, SWITCHES, TABLE_8

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vitviz.cards.card import Paper
    from vitviz.measures.arrays import Array
    from vitviz.shelf.measured import Measured

TABLES = {
    "Positions": list(TABLE_8),
    "Switches": ["learned", *SWITCHES],
    "Learning rates": list(FIGURE_9),
    "Data sizes": list(DATA_SIZE),
}


def measured_siblings(rows: Sequence[str]) -> list[Measured]:
    from vitviz.shelf.measured import all_of

    return all_of(rows)


def mean_accuracies(found: Sequence[Measured]) -> Array:
    from vitviz.shelf.measured import MEASURES

    return np.array([[row.mean(measure) for measure in MEASURES] for row in found], np.float32)


def papers_of_siblings(rows: Sequence[str]) -> list[tuple[str, Paper]]:
    sizes = [ROWS[row].sizes for row in rows]
    return [paper for config in sizes if isinstance(config, ViTConfig) for paper in papers_of(config)]


def names_of_siblings(found: Sequence[Measured]) -> dict[str, list[str]]:
    return {"sibling": [row.row for row in found]}


SIBLINGS = Calculation(
    "the accuracy that each sibling reached on things, on relations and on all scenes, mean over its seeds",
    "sibling 3",
    mean_accuracies,
    given={"found": measured_siblings},
    names=names_of_siblings,
    places=("things", "relations", "all scenes"),
    pictured=False,
    cited=papers_of_siblings,
    lacks="they are what trainings wrote down; `vitviz/shelf/training.py` trains, `vitviz/shelf/data` holds them",
)

DIFFERS = Choice("differs", TABLES.keys(), label="What differs")

PAGE = Page(
    __file__,
    "Siblings",
    order=503,
    stage="model",
    forward=False,
    choices=(DIFFERS,),
    follows={"rows": lambda words, config: TABLES[DIFFERS.read(words, config)]},
    calculations=Calculations(SIBLINGS),
)
