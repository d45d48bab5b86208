"""Results give way to what is computed beside them, so that a process holds its budget; they can be made again."""

from functools import partial

import numpy as np
import pytest
import torch

from tests.engine_calls import CALLS, GO, hold, until, zeros
from tests.engines import Loop
from vitviz import weights
from vitviz.config import PRESETS
from vitviz.counts import total_parameters
from vitviz.engine import BUDGET_BYTES, Engine, Request
from vitviz.engine import engine as module
from vitviz.engine.process import ProcessEngine, client
from vitviz.engine.results import Result, Results
from vitviz.forward import run_forward
from vitviz.images import open_image
from vitviz.images.photos import PHOTOS
from vitviz.machine import device
from vitviz.machine.device import DeviceMemoryError, require
from vitviz.machine.price import backward_bytes, forward_bytes
from vitviz.machine.wanted import make_room, making_room
from vitviz.measures.laboratory.gradients import gradients

A, B, C = (Request(zeros, (1000,), version=name) for name in "abc")


def held_beside(needed: int, *parts: np.ndarray) -> int:
    """A step that takes so many bytes."""
    require(needed, "a step", torch.device("cpu"))
    return needed


def failed_beside(needed: int) -> None:
    held_beside(needed)
    raise ValueError("after it")


def held_long_beside(needed: int) -> int:
    """The same, until the test says go."""
    CALLS.append(held_beside(needed))
    hold("through")
    return needed


def test_results_make_room_for_a_step_and_those_it_needs_stay() -> None:
    engine = Engine(budget=3_500)
    for request in (A, B, C):
        engine.submit(request).result(60)
    assert engine.status().result_bytes == 3_000
    engine.submit(Request(held_beside, (2_000, A))).result(60)
    assert engine.status().result_bytes == 1_000, "A alone"
    assert engine.cached(A)
    engine.submit(B).result(60)
    assert engine.status().result_bytes == 2_000, "the step is over"


def test_a_step_that_is_over_has_its_room_until_it_has_come_to_an_end(fresh_calls: None) -> None:
    engine = Engine(budget=3_500, grace=0.0)
    left = engine.submit(Request(held_long_beside, (2_000,)))
    until(lambda: 2_000 in CALLS)
    assert left.cancel()
    until(lambda: engine.status().restarts == 1)
    for request in (A, B, C):
        engine.submit(request).result(60)
    assert engine.status().result_bytes == 1_000
    GO.set()
    until(lambda: not engine._crew.ending)
    for request in (A, B, C):
        engine.submit(request).result(60)
    assert engine.status().result_bytes == 3_000


def test_a_step_that_needs_more_than_the_budget_is_made_alone_and_leaves_nothing_of_it() -> None:
    engine = Engine(budget=3_500)
    for request in (A, B, C):
        engine.submit(request).result(60)
    assert engine.submit(Request(held_beside, (9_000, A))).result(60).value == 9_000
    assert engine.status().result_bytes == 1_000, "what the step is made of"
    for request in (A, B, C):
        engine.submit(request).result(60)
    assert engine.status().result_bytes == 3_000


def test_a_step_that_needs_more_than_is_free_is_refused_with_both_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "_free", lambda total: 1_500_000_000)
    monkeypatch.setattr(device, "name", lambda device: "CPU")
    engine = Engine()
    engine.submit(Request(held_beside, (1_500_000_000,))).result(60)
    more = "a step needs 3.0 GB, and CPU has 1.5 GB free; choose a smaller model or fewer, larger patches"
    with pytest.raises(DeviceMemoryError, match=more):
        engine.submit(Request(held_beside, (3_000_000_000,))).result(60)


def test_memory_of_a_step_that_failed_is_given_back_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[str] = []
    monkeypatch.setattr(module, "SLACK_BYTES", 2_500)
    monkeypatch.setattr(module, "give_back", lambda: given.append("back"))
    engine = Engine(budget=5_000)
    with pytest.raises(ValueError, match="after it"):
        engine.submit(Request(failed_beside, (2_600,))).result(60)
    engine.submit(A).result(60)
    assert given == ["back"]


def test_what_a_result_in_use_keeps_alive_does_not_go_either() -> None:
    results = Results(2_000)
    results.keep("model", Result("model", 1_000))
    results.keep("trace", Result("trace", 500, ("model",)))
    results.keep("other", Result("other", 300))
    results.shrink(1_500, ("trace",))
    assert [key in results for key in ("model", "trace", "other")] == [True, True, False]
    results.shrink(1_500)
    assert (results.nbytes, results.let_go) == (0, 1_800)


def test_memory_is_given_back_when_enough_was_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[str] = []
    monkeypatch.setattr(module, "SLACK_BYTES", 2_500)
    monkeypatch.setattr(module, "give_back", lambda: given.append("back"))
    engine = Engine(budget=1_500)
    for turn, times in enumerate((0, 0, 0, 1, 1, 1, 2)):
        engine.submit(Request(zeros, (1_000,), version=str(turn))).result(60)
        assert len(given) == times


def test_the_server_gives_back_what_it_let_go_of_its_own_results(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[str] = []
    monkeypatch.setattr(client, "give_back", lambda: given.append("back"))
    for name, number in {"CACHE_BYTES": 1_500, "SLACK_BYTES": 2_500, "HEARTBEAT_S": 0.01}.items():
        monkeypatch.setattr(client, name, number)
    engine = ProcessEngine(connect=Loop)
    asked = iter(range(9))
    for times in range(3):
        for turn in (next(asked), next(asked), next(asked)):
            engine.submit(Request(zeros, (1_000,), version=str(turn))).result(60)
        until(partial(lambda times: len(given) == times, times))
    assert len(engine._results) == 1
    engine.close()


def test_all_that_takes_much_says_so_before() -> None:
    config, said = PRESETS["demo"].with_(depth=2), list[int]()
    with making_room(said.append):
        loaded = weights.build(config, device="cpu")
        assert said.pop() >= 4 * total_parameters(config)
        passed = run_forward(loaded, open_image(PHOTOS[0].read()), True)
        assert said == [forward_bytes(config)]
        gradients(passed.trace, 0, "usual")
        assert said[1:] == [backward_bytes(config)]
    make_room(1)
    assert len(said) == 2


def test_results_have_what_the_process_leaves_of_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    for resident, budget in (
        (300_000_000, BUDGET_BYTES - module.SLACK_BYTES - 300_000_000),
        (BUDGET_BYTES, BUDGET_BYTES // 2),
    ):
        monkeypatch.setattr(module, "resident", lambda resident=resident: resident)
        assert Engine().status().budget == budget
