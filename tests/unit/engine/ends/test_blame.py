"""Who is blamed when the engine's process dies: what ran, left or not, and nothing that only waited."""

from concurrent.futures import Future

import pytest

from tests.engine_calls import GO, hold, until, wait_for
from tests.engines import Loop
from vitviz.engine import Request
from vitviz.engine.process import ProcessEngine
from vitviz.engine.process.pending import ATTEMPTS, Outstanding, PendingRequest


def ask(asked: Outstanding, number: int, key: str) -> PendingRequest:
    asked.add(number, it := PendingRequest(key, "", [], {}, Future()))
    return it


def test_what_runs_is_blamed_however_many_began_and_were_left_beside_it() -> None:
    asked = Outstanding()
    killer, waits = ask(asked, 1, "killer"), ask(asked, 2, "waits")
    for deaths in range(1, ATTEMPTS + 1):
        asked.begin([1])
        for number in range(10, 60):
            ask(asked, number, f"position {number}")
            asked.begin([number])
            assert asked.leave(number)
            asked.over([number])
        assert asked.lost(shared=False, blameless=False) == [killer] * (deaths == ATTEMPTS)
        assert (killer.deaths, waits.deaths) == (deaths, 0)


def test_what_was_left_runs_until_it_is_over_and_is_not_blamed_afterwards() -> None:
    asked = Outstanding()
    for over, deaths in ((False, 1), (True, 0)):
        ask(asked, 1, "left")
        asked.begin([1])
        assert asked.leave(1)
        if over:
            asked.over([1])
        again, running = ask(asked, 2, "left"), ask(asked, 3, "runs")
        asked.begin([3])
        assert asked.lost(shared=False, blameless=False) == []
        assert (again.deaths, running.deaths) == (deaths, 1)
        asked.end([2, 3])


def test_what_ran_in_one_that_had_itself_replaced_is_not_blamed_for_the_next() -> None:
    asked = Outstanding()
    asked_first = ask(asked, 1, "runs")
    asked.begin([1])
    assert asked.lost(shared=True, blameless=True) == []
    assert asked.lost(shared=True, blameless=False) == []
    assert asked_first.deaths == 0


@pytest.mark.usefixtures("fresh_calls")
def test_the_host_says_when_the_thread_of_what_was_left_is_over() -> None:
    engine = ProcessEngine({"grace": 60.0}, Loop)
    try:
        left = engine.submit(Request(hold, ("left",)))
        wait_for(engine, "hold")
        until(lambda: len(engine._outstanding._running) == 1)
        assert left.cancel()
        wait_for(engine, "hold")
        assert len(engine._outstanding._running) == 1
        GO.set()
        until(lambda: not engine._outstanding._running)
    finally:
        GO.set()
        engine.close()
