"""What is taken away of a page of the laboratory is what the page computed for the same address."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from vitviz.pages.laboratory.chance import shown as chance
from vitviz.pages.laboratory.first_values import shown as first_values
from vitviz.pages.laboratory.five_shots import read_out
from vitviz.pages.laboratory.gradients import shown as gradients
from vitviz.pages.laboratory.norms import shown as norms
from vitviz.pages.laboratory.order import shown as order
from vitviz.pages.laboratory.resolution import shown as resolution
from vitviz.pages.laboratory.shift import moving

from tests.pages.app import healthy, visit
from vitviz.laboratory.shots import ClassOf
from vitviz.takeaway.calculations import CALCULATIONS, values
from vitviz.takeaway.opening import opened
from vitviz.takeaway.view import from_words

SMALL = {"model": "build-your-own", "dim": "24", "heads": "3", "depth": "2", "image_size": "32", "patch_size": "8"}
WHERE = {"sample": "fish", "seed": "3", "classes": "5", "query": "7", "layer": "2", "head": "3"}
Shown = Callable[..., Any]


def _kept(models: moving.Models) -> list[Any]:
    most = models.most + 1
    of_cnn = (models.cnn.first_kept[:most], models.cnn.last_kept[:most])
    return [models.vit.first_kept, models.vit.last_kept, *of_cnn]


def _scores(selection: Any, found: list[ClassOf], solved: Any) -> Any:
    return np.concatenate([solved.scores(it.held_out) for it in found])


# By page: the function that draws, what the address chooses, and the numbers among what it is given.
DRAWN: list[tuple[ModuleType, str, dict[str, str], Shown]] = [
    (
        chance,
        "answers",
        {"dropout_rate": "0.3", "drop_path_rate": "0.05", "draw": "3"},
        lambda _, found, plain: found.probabilities,
    ),
    (
        norms,
        "moved",
        {"batch_size": "4", "norm_layer": "2", "night": "true"},
        lambda _, found, *__: found.after,
    ),
    (
        first_values,
        "first_maps",
        {"drawn_seed": "2"},
        lambda _, starts, *__: np.stack([it.maps for it in starts.values()]),
    ),
    (
        gradients,
        "pictures",
        {"gradient_of": "residual stream", "untrained_begins": "normal"},
        lambda _, found, of: np.stack([gradients.lengths_of(it, of) for it in found.curves.values()]),
    ),
    (read_out, "on_screen", {"shots": "1", "penalty": "0.1", "shot_classes": "3", "shots_of_2": "car"}, _scores),
    (resolution, "through", {}, lambda _, looks, costs: np.stack([it.seen.probabilities for it in looks])),
    (moving, "moving", {}, lambda _, models, curves: np.stack(_kept(models))),
    (order, "limit_of", {"swap": "2x11", "guess_order": order.BOTH}, lambda *seen: _moved(seen[-1])),
]


def _moved(seen: order.Seen) -> Any:
    return np.stack([seen.found.in_place, seen.found.followed])


@pytest.mark.parametrize(("section", "function", "asked", "numbers"), DRAWN, ids=lambda it: getattr(it, "__name__", ""))
def test_the_numbers_are_those_that_the_page_draws(
    section: ModuleType, function: str, asked: dict[str, str], numbers: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, seen, draw = section.__name__.split("laboratory.")[1].split(".")[0], [], getattr(section, function)

    def watch(*given: Any, **named: Any) -> Any:
        seen.append(numbers(*given, *named.values()))
        return draw(*given, **named)

    monkeypatch.setattr(section, function, watch)
    words = SMALL | WHERE | asked
    healthy(visit(page, **words))
    it = opened(from_words(page, words, CALCULATIONS))
    found = values(it.view, it.trace, it.loaded, it.picture)
    given = seen[-1]
    np.testing.assert_allclose(found[-len(given) :] if section is read_out else found, given, atol=1e-5)
