"""A process in which a thread hangs, or that seems to be unsound, is replaced: others notice nothing but the time."""

import os
import signal
import time
from collections.abc import Iterator
from threading import Event, get_native_id

import pytest

from tests.engine_calls import CALLS, GO, fail, hold, note, until, wait_for
from tests.engines import Loop
from vitviz.engine import Engine, Request, clock
from vitviz.engine.process import ProcessEngine
from vitviz.machine.device import DeviceError

pytestmark = pytest.mark.usefixtures("fresh_calls")
TOO_LONG = "this took longer than the 1 s that one request may take"
HUNG = "this did not end when nobody waited for it; choose a smaller model"


@pytest.fixture(autouse=True)
def quick_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in {"HEARTBEAT_S": 0.01, "HANGS": 0.2, "IDLE_TIMEOUT_S": 0.2}.items():
        monkeypatch.setattr(clock, name, seconds)


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> Iterator[ProcessEngine]:
    """Behind a pipe, and nobody has patience with what nobody waits for; with a deadline where a test gives one."""
    deadline = {"deadline": request.param} if hasattr(request, "param") else {}
    engine = ProcessEngine({"grace": 0.0, **deadline}, Loop)
    yield engine
    GO.set()
    engine.close()


def hang(key: str) -> str:
    """One step that lasts until the test is over."""
    CALLS.append(key)
    GO.wait(60)
    return key


def where(key: int) -> int:
    return os.getpid()


def built(key: int) -> str:
    raise AttributeError(f"no such thing as {key}")


def fail_with_model(model: str) -> None:
    raise KeyError(model)


@pytest.mark.parametrize("engine", [1.0], indirect=True, ids=["a second"])
def test_what_does_not_end_at_its_deadline_ends_its_process_and_is_not_tried_again(engine: ProcessEngine) -> None:
    with pytest.raises(DeviceError, match=TOO_LONG):
        engine.submit(Request(hang, ("endless",))).result(60)
    until(lambda: engine.status().replaced == 1)
    with pytest.raises(DeviceError, match=TOO_LONG):
        engine.submit(Request(hang, ("endless",))).result(60)
    assert CALLS.count("endless") == 1
    assert engine.submit(Request(note, ("next",))).result(60).value == "next"
    assert engine.status().replaced == 1


def test_what_nobody_waits_for_and_does_not_end_is_not_tried_again_either(engine: ProcessEngine) -> None:
    left = engine.submit(Request(hang, ("left",)))
    until(lambda: "left" in CALLS)
    assert left.cancel()
    until(lambda: engine.status().replaced == 1)
    with pytest.raises(DeviceError, match=HUNG):
        engine.submit(Request(hang, ("left",))).result(60)
    assert CALLS.count("left") == 1


def test_others_are_answered_before_and_after_and_their_work_is_not_lost(engine: ProcessEngine) -> None:
    left = engine.submit(Request(hang, ("left",)))
    until(lambda: "left" in CALLS)
    assert left.cancel()
    beside = [engine.submit(Request(note, (place,)), f"person {place}") for place in range(50)]
    assert [future.result(60).value for future in beside] == [*range(50)]
    until(lambda: engine.status().replaced == 1)
    assert engine.submit(Request(note, ("next",))).result(60).value == "next"


def test_a_process_in_which_a_thread_hangs_waits_for_a_moment_of_rest_but_not_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(clock, "IDLE_TIMEOUT_S", 60.0)
    ended = Event()
    engine = Engine(grace=0.0, ends=lambda heritage: ended.set())
    left, long = engine.submit(Request(hang, ("left",))), Request(hold, ("long",), takes_long=True)
    until(lambda: "left" in CALLS)
    waits = engine.submit(long)
    wait_for(engine, "hold")
    assert left.cancel()
    until(lambda: engine.status().restarts == 1)
    with engine._lock:
        now = time.monotonic()
        assert [engine._clock.is_over(now + later) for later in (50, 70)] == [False, True]
    assert not ended.is_set()
    assert waits.cancel()
    assert ended.wait(60)


def test_inline_the_lane_goes_on_and_what_the_thread_still_does_does_not_count() -> None:
    engine = Engine(grace=0.0)
    left = engine.submit(Request(hang, ("left",)))
    until(lambda: "left" in CALLS)
    assert left.cancel()
    until(lambda: engine.status().restarts == 1)
    assert engine.submit(Request(note, ("next",))).result(60).value == "next"
    GO.set()
    until(lambda: not engine._crew.ending)
    assert engine.status().results == 1


def test_an_error_that_nobody_foresaw_with_two_models_ends_the_process_once(engine: ProcessEngine) -> None:
    """Both may be asked of a sound process then; what fails there, too, is a mistake of ours, and told."""
    for key in range(4):
        with pytest.raises(AttributeError, match=f"no such thing as {key}"):
            engine.submit(Request(built, (key,))).result(60)
        assert engine.status().replaced == (key > 0)
    assert engine.submit(Request(note, ("next",))).result(60).value == "next"


def test_errors_that_differ_count_as_well_and_those_of_one_model_do_not(engine: ProcessEngine) -> None:
    model = Request(note, ("a model",))
    for function in (fail, fail_with_model):
        with pytest.raises((ValueError, KeyError)):
            engine.submit(Request(function, (model,))).result(60)
    assert engine.status().replaced == 0
    with pytest.raises(KeyError, match="another model"):
        engine.submit(Request(fail_with_model, (Request(note, ("another model",)),))).result(60)
    assert engine.status().replaced == 1


def refuse(key: int) -> None:
    raise DeviceError(f"no room for {key}")


def test_our_own_sentences_end_no_process(engine: ProcessEngine) -> None:
    for key in range(3):
        with pytest.raises(DeviceError, match=f"no room for {key}"):
            engine.submit(Request(refuse, (key,))).result(60)
    assert engine.status().replaced == 0


def broken_here(pid: int, key: int) -> int:
    """Fails in the process that was there first."""
    if os.getpid() == pid:
        raise AttributeError("module 'sympy' has no attribute 'printing'")
    return get_native_id()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Windows kills in its own way")
def test_a_real_process_that_is_unsound_is_replaced_and_the_second_model_is_built_by_the_next() -> None:
    engine = ProcessEngine()
    try:
        first = engine.submit(Request(where, (1,))).result(60).value
        with pytest.raises(AttributeError, match="printing"):
            engine.submit(Request(broken_here, (first, 1))).result(60)
        beside = [engine.submit(Request(where, (key,), version="beside"), f"person {key}") for key in range(5)]
        assert engine.submit(Request(broken_here, (first, 2))).result(60).value > 0
        assert all(future.result(60).value > 0 for future in beside)
        assert engine.submit(Request(where, (2,))).result(60).value != first
        assert engine.status().replaced == 1
    finally:
        engine.close()
