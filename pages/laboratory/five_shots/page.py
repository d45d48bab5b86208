"""Five shots: classes of your own, from a few pictures each, read off a frozen model by a read-out solved at once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from vitviz.addresses.ranges import DECIMAL, Number, to
from vitviz.calculation import Calculation, Calculations
from vitviz.choice import Choice, ChoiceError
from vitviz.demo.scenes import CLASSES, FAMILIES, members
from vitviz.images.photos import BY_TITLE
from vitviz.machine.price import at_once
from vitviz.machine.pytorch import torch
from vitviz.page import Page
from vitviz.pretrained import KNOW_PHOTOGRAPHS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vitviz.choice import Words
    from vitviz.config import ViTConfig
    from vitviz.figures.figure import Figure
    from vitviz.measures.arrays import Array
    from vitviz.plain import Tensor
    from vitviz.trace import Trace
    from vitviz.weights import Loaded

OWN_PICTURES = "own pictures"
PICTURES = 15  # of a class: shots and held out
MOST_CLASSES, MOST_SHOTS = 4, 5


def _learns(words: Words, config: ViTConfig | None) -> Sequence[str]:
    from vitviz.laboratory.fine_tuning import LEARNS

    return LEARNS


SHOT_CLASSES = Choice("shot_classes", Number(to(MOST_CLASSES, 2)), label="Number of classes", usual=2)
SHOTS = Choice("shots", Number(to(MOST_SHOTS)), label="Shots of each class", usual=2)  # so few that it makes errors
PENALTY = Choice(
    "penalty", Number((0.01, 0.1, 1.0, 10.0, 100.0), DECIMAL), name="penalty", label="Penalty λ", usual=1.0
)
SHOTS_OF = tuple(
    Choice(f"shots_of_{place}", (*FAMILIES, *CLASSES, *BY_TITLE), label=f"Class {place}") for place in to(MOST_CLASSES)
)
TUNED = Choice("tuned", label="What learns", among=_learns)
RATE = Choice("tuning_rate", Number((0.001, 0.01, 0.1, 1.0), DECIMAL), label="Learning rate η", usual=0.01)


def families_of(model: str) -> tuple[str, ...]:
    """What the classes may have pictures of: photographs first for a model that learned from them, else scenes.

    The first are the usual ones, of the first class, the second and so on.
    """
    scenes = (*FAMILIES, *CLASSES)
    return (*BY_TITLE, *scenes) if model in KNOW_PHOTOGRAPHS else (*scenes, *BY_TITLE)


def vectors_of_scenes(loaded: Loaded, scenes: Sequence[str], pictures: int) -> list[Array]:
    from vitviz.laboratory.shots import see_scenes

    return [see_scenes(loaded, name, 0, pictures).vectors for name in scenes]


def vectors_of_shots(seen: Sequence[Array], shots: int) -> Array:
    return np.concatenate([vectors[:shots] for vectors in seen])


def vectors_to_name(trace: Trace, seen: Sequence[Array], pictures: int) -> Array:
    from vitviz.measures.laboratory.five_shots import read_vector

    held_out = [vectors[max(1, pictures // 3) :] for vectors in seen]
    return np.concatenate([read_vector(trace)[None], *held_out])


def scores_of_read_out(taught: Array, tests: Array, scenes: Sequence[str], shots: int, penalty: float) -> Array:
    from vitviz.measures.laboratory.five_shots import ridge

    labels = [label for label in range(len(scenes)) for _ in range(shots)]
    return ridge(taught, labels, len(scenes), penalty).scores(tests)


def names_of_tests(seen: Sequence[Array], scenes: Sequence[str], pictures: int) -> dict[str, Sequence[str]]:
    held_out = [len(vectors[max(1, pictures // 3) :]) for vectors in seen]
    named = [f"{name}, held out {at}" for name, many in zip(scenes, held_out, strict=True) for at in range(1, many + 1)]
    return {"picture": ["on screen", *named], "group": scenes}


def bars_of_scores(values: Array, scenes: Sequence[str]) -> Figure:
    from vitviz.figures.laboratory.five_shots import scores

    return scores(scenes, values[0])


def plain_read_out(taught: Array, tests: Array, scenes: list[str], shots: int, penalty: float) -> Tensor:
    x, queries = torch.tensor(taught).double(), torch.tensor(tests).double()
    y = 2 * torch.eye(len(scenes)).repeat_interleave(shots, dim=0).double() - 1
    less = x - x.mean(dim=0)
    weights = torch.linalg.solve(less.T @ less + penalty * torch.eye(x.shape[1]), less.T @ (y - y.mean(dim=0)))
    return (queries - x.mean(dim=0)) @ weights + y.mean(dim=0)


FIVE_SHOTS = Calculation(
    "the scores of a read-out from a few pictures of each class: of the picture on screen, then of all held-out ones, "
    "class by class",
    "picture group",
    scores_of_read_out,
    plain_read_out,
    given={"seen": vectors_of_scenes, "taught": vectors_of_shots, "tests": vectors_to_name},
    names=names_of_tests,
    figure=bars_of_scores,
    of_any=True,
)


def _scenes(words: Words, config: ViTConfig) -> list[str]:
    """What each class has scenes of; in place of those that a class before has as well, the first that none has."""
    names: list[str] = []
    there = families_of(words["model"])
    for its, usual in zip(SHOTS_OF[: SHOT_CLASSES.read(words, config)], there, strict=False):
        if words.get(its.word) == OWN_PICTURES:
            raise ChoiceError("pictures that somebody brought for a class are in no link; choose scenes for it")
        name = replace(its, values=there, usual=usual).read(words, config)
        excluded = {label for other in names for label in members(other)}
        names.append(next(it for it in (name, *there) if excluded.isdisjoint(members(it))))
    return names


def _pictures(words: Words, config: ViTConfig) -> int:
    """How many pictures of each class are looked at; a third of them teaches."""
    return max(2, at_once(config, SHOT_CLASSES.read(words, config), PICTURES))


def _shots(words: Words, config: ViTConfig) -> int:
    return min(SHOTS.read(words, config), max(1, _pictures(words, config) // 3))


PAGE = Page(
    __file__,
    "Five shots",
    order=510,
    says="Move the shots from 1 to 5: how many pictures of a class does a model need that was never trained to name "
    "it? A cross is an error. The model stays **frozen**; a linear read-out is fitted to its features of the "
    "framed pictures in closed form, without a step of learning. The papers call this 5-shot, and measure models "
    "by it.",
    stage="head",
    unedited=True,
    choices=(SHOT_CLASSES, SHOTS, *SHOTS_OF, PENALTY, TUNED, RATE),
    follows={"scenes": _scenes, "pictures": _pictures, "shots": _shots},
    calculations=Calculations(FIVE_SHOTS),
)
