"""What pages say that long work takes follows from what runs took that this process asked for."""

from collections.abc import Iterator
from math import ceil
from types import SimpleNamespace
from typing import Any

import pytest

from vitviz import results
from vitviz.config import PRESETS
from vitviz.engine.results import Result
from vitviz.machine import price
from vitviz.measures.interventions import occluded
from vitviz.pages import PAGES, module_of
from vitviz.results import asking, pace
from vitviz.samples import samples
from vitviz.selection import ModelChoice, Selection

BASE = PRESETS["vit_base_patch16_224"]
WHY = module_of(PAGES["why_this_answer"], "scene")


class Clocked:
    """An engine by which whatever is asked takes as long as one says, and a forward pass that it knows of or not."""

    def __init__(self) -> None:
        self.seconds, self.own = 0.0, None

    def engine(self) -> Any:
        return SimpleNamespace(cached=lambda request: self.own)

    def ask(self, request: Any, saying: str) -> Any:
        return Result(None, 0, seconds=self.seconds)

    def begin_all(self, *requests: Any) -> None:
        raise AssertionError(requests)


@pytest.fixture(name="clocked")
def clocked_engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    clocked = Clocked()
    monkeypatch.setattr(asking, "_asks", clocked)
    pace._seconds.clear()
    yield clocked
    pace._seconds.clear()


def test_a_price_is_a_guess_then_its_own_run_then_the_last_of_them(clocked: Any) -> None:
    selection = Selection(ModelChoice("any", BASE), samples()["left"])
    assert WHY._prices(selection)["maps"] == f"196 runs, some {ceil(196 * price.seconds(BASE))} s"
    clocked.own = Result(SimpleNamespace(seconds=0.25), 0)
    assert WHY._prices(selection)["maps"] == "196 runs, some 49 s"
    clocked.seconds = 0.5
    results.clocked(selection, results.RUN, 4, occluded, "grey", 0, 4)
    assert WHY._prices(selection)["maps"] == "196 runs, some 25 s"
    assert WHY._prices(selection)["trial"] == "134 runs, some 17 s"
    assert WHY._prices(selection)["randomised"].startswith("14 models, ")
    clocked.seconds = 3.0
    results.clocked(selection, WHY.PART, 1, occluded, "grey", 0, 4)
    assert WHY._prices(selection)["randomised"] == "14 models, some 42 s"
    assert WHY._prices(selection)["maps"] == "196 runs, some 25 s", "another kind of runs"
    other = Selection(ModelChoice("any", BASE, seed=1), samples()["left"])
    assert WHY._prices(other)["maps"] == "196 runs, some 49 s", "another model"


def test_models_that_were_run_long_ago_are_forgotten() -> None:
    for model in range(pace.MOST + 1):
        pace.note(f"model {model}", "a run", float(model))
    assert pace.noted("model 0", "a run") is None
    assert pace.noted(f"model {pace.MOST}", "a run") == pace.MOST
    pace._seconds.clear()
