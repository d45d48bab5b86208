"""No request runs for ever, and none for nobody: its worker is replaced, and what it still does counts no more."""

import os
import random
import sys
import time
from concurrent.futures import Future, wait
from itertools import repeat
from threading import current_thread, enumerate, get_native_id
from typing import Any

import pytest

from tests.engine_calls import CALLS, GO, hold, note, until, wait_for
from vitviz.engine import Engine, Request, Result, clock, failures, worker
from vitviz.engine import engine as module
from vitviz.engine.engine import DEADLINE_S
from vitviz.machine.device import DeviceError
from vitviz.machine.wanted import while_wanted

pytestmark = pytest.mark.usefixtures("fresh_calls")
SENTENCE = r"this took longer than the 120 s that one request may take; choose a smaller model or fewer, larger patch"


@pytest.fixture(autouse=True)
def quick_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "HEARTBEAT_S", 0.01)


def spin() -> None:
    """For ever, step by step."""
    CALLS.append(current_thread())
    for _ in while_wanted(repeat(None)):
        pass


def stand() -> str:
    """One step that lasts until the test says go."""
    CALLS.append(current_thread())
    GO.wait(60)
    return "stood"


def count(steps: int) -> int:
    return sum(1 for _ in while_wanted(range(steps)))


def add(*values: int) -> int:
    return sum(values)


def alive() -> bool:
    return CALLS[0] in enumerate()


def make_late(engine: Engine, calls: int = 1) -> None:
    """Once so many calls have begun, let what runs have done so for all the time that it may."""
    until(lambda: len(CALLS) >= calls)
    with engine._lock:
        for job in engine._lanes.running:
            job.started -= DEADLINE_S


@pytest.mark.parametrize("call", [Request(spin), Request(stand)], ids=lambda it: it.name)
def test_what_takes_too_long_is_told_and_its_worker_replaced(call: Request[object]) -> None:
    engine = Engine()
    asked, next_one = engine.submit(call), engine.submit(Request(note, ("next",)))
    make_late(engine)
    with pytest.raises(DeviceError, match=SENTENCE):
        asked.result(60)
    assert next_one.result(60).value == "next"
    GO.set()
    until(lambda: not alive())
    status = engine.status()
    assert (status.restarts, status.failed, status.results, status.computed) == (1, 1, 1, {"note": 1})


def test_what_took_too_long_is_not_tried_again() -> None:
    engine = Engine()
    for _ in range(3):
        asked = engine.submit(Request(spin))
        make_late(engine)
        with pytest.raises(DeviceError, match=SENTENCE):
            asked.result(60)
    assert len(CALLS) == engine.status().restarts == 1


def test_it_is_tried_again_some_minutes_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failures, "RETRY_S", 0.0)
    engine = Engine()
    for calls in (1, 2):
        asked = engine.submit(Request(spin))
        make_late(engine, calls)
        with pytest.raises(DeviceError, match=SENTENCE):
            asked.result(60)


def test_what_nobody_waits_for_any_more_ends_and_no_other() -> None:
    engine = Engine(grace=0.1)
    asked = [engine.submit(Request(spin)) for _ in range(2)]
    wait_for(engine, "spin")
    assert asked[0].cancel()
    with engine._lock:
        (job,) = engine._lanes.running
        engine._clock._look_at(engine._lanes.short, job, time.monotonic() + 60)
        assert not job.over
        assert job.unwanted_since is None
    assert asked[1].cancel()
    until(lambda: not alive())
    assert engine.submit(Request(note, ("next",))).result(60).value == "next"
    status = engine.status()
    assert (status.restarts, status.dropped, status.failed) == (1, 1, 0)


def test_who_comes_back_at_once_finds_the_work_going_on() -> None:
    engine = Engine(grace=60)
    left = engine.submit(Request(hold, ("large",)))
    wait_for(engine, "hold")
    assert left.cancel()
    until(lambda: engine._lanes.running[0].unwanted_since)
    back = engine.submit(Request(hold, ("large",)))
    GO.set()
    assert back.result(60).value == "large"
    assert (CALLS, engine.status().restarts) == (["large"], 0)


def test_nobody_waits_behind_what_takes_long() -> None:
    engine, large = Engine(), Request(hold, ("large",), takes_long=True)
    seen = Request(add, (Request(note, (1,)),))
    asked: list[Future[Any]] = [engine.submit(large), engine.submit(Request(_first, (large,)))]
    wait_for(engine, "hold")
    assert engine.submit(seen).result(60).value == 1
    assert [engine.place(request).ahead for request in (large, Request(_first, (large,)), seen)] == [0, 1, 0]
    GO.set()
    assert [future.result(60).value for future in asked] == ["large", "l"]
    other = Request(hold, ("other",), takes_long=True)
    GO.clear()
    held = engine.submit(other)
    wait_for(engine, "hold")
    assert engine.submit(Request(_last, (large,))).result(60).value == "e", "its large part is kept: a moment's work"
    GO.set()
    assert held.result(60).value == "other", "before another test counts calls"


def test_two_hundred_larger_models_keep_nobody_waiting_who_asks_for_a_moment() -> None:
    engine, pictures = Engine(), [Request(hold, (str(place),), takes_a_while=True) for place in range(200)]
    asked = [engine.submit(picture) for picture in pictures]
    wait_for(engine, "hold")
    assert engine.submit(Request(add, (Request(note, (1,)),))).result(60).value == 1
    asked.append(engine.submit(Request(hold, ("large",), takes_long=True)))
    until(lambda: engine.status().running == ("hold", "hold"))
    assert engine.place(pictures[-1]).ahead == 199
    GO.set()
    assert [future.result(60).value for future in asked] == [*map(str, range(200)), "large"]
    assert engine.submit(Request(_last, (pictures[-1],))).result(60).value == "9"


def test_who_comes_back_before_the_turn_has_kept_the_place() -> None:
    engine = Engine()
    engine.submit(Request(hold, ("first",)))
    wait_for(engine, "hold")
    left = engine.submit(Request(note, ("ann's",)))
    others = [engine.submit(Request(note, (place,))) for place in range(3)]
    assert left.cancel()
    engine.submit(Request(note, ("ann's",)))
    assert engine.place(Request(note, ("ann's",))).ahead == 1
    GO.set()
    assert [it.result(60).value for it in others] == [0, 1, 2]
    assert CALLS == ["first", "ann's", 0, 1, 2]
    assert engine.status().dropped == 1


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux threads have a priority of their own")
def test_what_takes_long_lets_the_rest_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "LOWEST", 19)  # as outside of tests
    engine = Engine()
    asked = engine.submit(Request(stand, takes_long=True))
    make_late(engine)
    with pytest.raises(DeviceError, match=SENTENCE):
        asked.result(60)  # the worker that takes its place does so, too
    lanes: tuple[dict[str, Any], ...] = {}, {"takes_a_while": True}, {"takes_long": True}
    usual, *patient = (engine.submit(Request(_priority, (str(it),), **it)).result(60).value for it in lanes)
    assert usual == os.getpriority(os.PRIO_PROCESS, 0)
    assert patient == [min(usual + more, 19) for more in (5, 10)]


def _priority(lane: str) -> int:
    return os.getpriority(os.PRIO_PROCESS, get_native_id())


def _first(value: str) -> str:
    return value[0]


def _last(value: str) -> str:
    return value[-1]


def test_a_deadline_at_any_moment_leaves_the_engine_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests of many small parts, so that workers are ended between, before and after their calls to the engine."""
    monkeypatch.setattr(clock, "HEARTBEAT_S", 0.0005)
    monkeypatch.setattr(module, "release_memory", lambda: None)  # it takes longer than the rest
    chance, engine = random.Random(0), Engine(deadline=0.004, most_waiting=1000)
    asked: list[Future[Result[int]]] = []
    for place in range(300):
        steps = [Request(count, (chance.randrange(20_000),), version=f"{place} {part}") for part in range(8)]
        asked.append(engine.submit(Request(add, tuple(steps), takes_long=place % 2 == 0)))
    done, _ = wait(asked, 60)
    assert len(done) == 300
    ended = [future for future in asked if future.exception()]
    assert all(isinstance(future.exception(), DeviceError) for future in ended)
    assert 0 < len(ended) == engine.status().restarts == engine.status().failed
    kept = sum(result.nbytes for result in engine._results._results.values())
    assert engine.status().result_bytes == kept
    monkeypatch.setattr(engine._clock, "_deadline", 60)
    for lane in (False, True):
        assert engine.submit(Request(note, (str(lane),), takes_long=lane)).result(60).value == str(lane)
