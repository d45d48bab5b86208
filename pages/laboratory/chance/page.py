"""Dropout: dropout and drop path, which belong to training, as a spread of answers to one picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vitviz.addresses.ranges import RATES, SMALL, Number, Span, to
from vitviz.calculation import Calculation, Calculations
from vitviz.cards.papers import DROP_PATH, DROPOUT
from vitviz.choice import Choice
from vitviz.figures.figure import Numbers
from vitviz.machine.price import at_once
from vitviz.page import Page
from vitviz.sentences import Place

if TYPE_CHECKING:
    from vitviz.choice import Words
    from vitviz.config import ViTConfig
    from vitviz.figures.figure import Figure
    from vitviz.measures.arrays import Array
    from vitviz.trace import Trace
    from vitviz.weights import Loaded

RUNS = 30  # answers by chance in one draw


def answers_of_runs(trace: Trace, dropout: float, drop_path: float, first: int, runs: int) -> Array:
    from vitviz.measures.laboratory.chance import answers_by_chance

    return answers_by_chance(trace, dropout, drop_path, first, first + runs).probabilities


def outline_of_runs(config: ViTConfig, runs: int) -> Numbers:
    classes = [f"class {number}" for number in range(config.classes)]
    return Numbers("values", ("run", "class"), np.broadcast_to(0, (runs, len(classes))), names={"class": classes})


def seeds_of_runs(first: int, runs: int) -> dict[str, list[str]]:
    return {"run": [f"seed {seed}" for seed in range(first, first + runs)]}


def strips_of_runs(values: Array, trace: Trace, loaded: Loaded, config: ViTConfig) -> Figure:
    from vitviz.figures.laboratory.chance import strips
    from vitviz.measures.classes import answer, best

    undisturbed = answer(trace, config.depth).probabilities
    places = best(np.maximum(undisturbed, values.mean(axis=0)), 6)
    return strips([loaded.labels[at] for at in places], values[:, places], undisturbed[places])


CHANCE = Calculation(
    "the probability of every class in every run under dropout and drop path",
    "run classes",
    answers_of_runs,
    names=seeds_of_runs,
    outline=outline_of_runs,
    lacks="what is dropped follows from seeds of our own; `vitviz/edits/dropout.py` draws it",
    figure=strips_of_runs,
    headed=True,
    papers=(("Dropout", DROPOUT), ("Drop path", DROP_PATH)),
)


def _rate(name: str, label: str) -> Choice:
    """A rate of what is dropped: the model's own as a rule, else a tenth."""

    def rates(config: ViTConfig) -> list[float]:
        return sorted({*RATES, getattr(config, name)})

    return Choice(
        f"{name}_rate",
        Number(Span(0.0, 0.99), SMALL, of=rates),
        name=name,
        label=label,
        usual=lambda _, config: getattr(config, name) or 0.1,
    )


DROPOUT_RATE = _rate("dropout", "Dropout rate")
DROP_PATH_RATE = _rate("drop_path", "Drop path rate in the last layer")
DRAW = Choice("draw", Number(to(10)), label="Draw", usual=1)


def _first(words: Words, config: ViTConfig) -> int:
    """The first seed of a draw."""
    return 1 + RUNS * (DRAW.read(words, config) - 1)


PAGE = Page(
    __file__,
    "Dropout",
    order=507,
    says={
        "classes": (
            "Raise a rate and watch up to {runs} answers to this picture scatter, each with other numbers left out: "
            "**dropout** zeroes single numbers, **drop path** the whole attention or MLP branch of a block. An answer "
            "that rests on few numbers scatters; one that rests on many stays. In training, every answer is made so."
        ),
        "": (
            "This model has no head, so there is no answer that could scatter; choose one with classes. What would be "
            "left out: **dropout** zeroes single numbers, **drop path** the whole attention or MLP branch of a block."
        ),
    },
    places={"runs": Place("how many answers are made at most", lambda config: str(RUNS))},
    stage="model",
    unedited=True,
    choices=(DROPOUT_RATE, DROP_PATH_RATE, DRAW),
    follows={"first": _first, "runs": lambda _, config: at_once(config, 1, RUNS)},
    cards=("dropout", "drop_path"),
    calculations=Calculations(CHANCE),
)
