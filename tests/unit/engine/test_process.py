"""An engine in a process of its own when something breaks: it is replaced, what it was asked is asked again, and it
outlives nobody.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.engine_calls import until
from vitviz.engine import Request
from vitviz.engine.process import ProcessEngine, client
from vitviz.engine.process.child import Child
from vitviz.machine.device import DeviceError

ROOT = Path(__file__).parents[3]
STARTS = """
import os
from tests.unit.engine.test_process import where
from vitviz.engine import Request
from vitviz.engine.process import ProcessEngine
engine = ProcessEngine()
print(engine.submit(Request(where, (1,))).result(60).value, flush=True)
"""
needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="Windows kills in its own way")


@pytest.fixture(scope="module")
def engine() -> Iterator[ProcessEngine]:
    """One process for all tests that leave it, or the next, in order."""
    engine = ProcessEngine()
    yield engine
    engine.close()


def where(key: int) -> int:
    return os.getpid()


def die_once(marker: str, name: str) -> str:
    """Kill the process in the first call; the second comes back."""
    path = Path(marker)
    if not path.exists():
        path.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return name


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def stop_once(marker: str) -> str:
    """Stop the whole process in the first call."""
    path = Path(marker)
    if not path.exists():
        path.touch()
        os.kill(os.getpid(), signal.SIGSTOP)
        time.sleep(1)  # until the signal has reached this thread, too
    return "answered"


def alive(pid: int) -> bool:
    """Whether a process runs; one that nobody has waited for does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_it_runs_elsewhere_in_one_process(engine: ProcessEngine) -> None:
    before = engine.status()
    places = {engine.submit(Request(where, (key,))).result(60).value for key in range(5)}
    assert len(places) == 1
    assert os.getpid() not in places
    after = engine.status()
    assert after.computed["where"] - before.computed.get("where", 0) == 5
    assert (after.finished - before.finished, after.results - before.results) == (5, 5)
    assert engine.device().name.startswith("CPU") or engine.device().kind != "cpu"


def test_nobody_waits_for_news_of_a_device_that_is_known(
    engine: ProcessEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine.submit(Request(where, (101,))).result(60)
    known = engine.device()
    old = replace(known, used=-1)
    engine._devices["auto"] = 0.0, old
    monkeypatch.setattr(engine, "_question", lambda *asked, otherwise: pytest.fail(f"it waits for {asked}"))
    assert engine.device() is old
    until(lambda: engine.device().used >= 0)
    assert engine.device().name == known.name


@needs_signals
def test_it_is_killed_again_and_again_and_every_request_is_answered(engine: ProcessEngine, tmp_path: Path) -> None:
    before = engine.status().replaced
    for round_ in range(client.MAX_STARTS + 1):
        killed = engine.submit(Request(die_once, (str(tmp_path / str(round_)), f"killed {round_}")), "ann")
        beside = [engine.submit(Request(where, (key,), version=f"{round_}"), f"person {key}") for key in range(3)]
        assert killed.result(60).value == f"killed {round_}"
        assert len({future.result(60).value for future in beside}) <= 2, "the one that died, and the next"
        assert engine.status().replaced == before + round_ + 1


@needs_signals
def test_what_kills_every_process_is_told_in_a_sentence_and_the_next_request_works(engine: ProcessEngine) -> None:
    with pytest.raises(DeviceError, match="the engine ended 2 times in the middle of this; choose another picture or"):
        engine.submit(Request(die)).result(60)
    assert engine.submit(Request(where, (99,))).result(60).value > 0


@needs_signals
def test_what_kills_every_process_takes_nobody_along_who_waited_meanwhile(engine: ProcessEngine) -> None:
    killer = engine.submit(Request(die))
    waiting = [engine.submit(Request(where, (key,), version="beside a killer"), f"person {key}") for key in range(3)]
    with pytest.raises(DeviceError, match="the engine ended 2 times in the middle of this"):
        killer.result(60)
    assert len({future.result(60).value for future in waiting}) == 1


@needs_signals
def test_one_that_says_nothing_is_complained_of_and_after_a_while_replaced(
    engine: ProcessEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine.submit(Request(where, (100,))).result(60)
    before = engine.status()
    assert before.finished
    monkeypatch.setattr(client, "SILENCE_WARNING_S", 1.0)
    monkeypatch.setattr(client, "SILENCE_LIMIT_S", 8.0)
    monkeypatch.setattr(client, "HEARTBEAT_S", 0.2)
    stopped = engine.submit(Request(stop_once, (str(tmp_path / "stopped"),)))
    until(lambda: "has said nothing for 2 s; another takes its place after 8 s" in engine.trouble())
    assert engine.device().kind == "cpu", "what it said last"
    assert engine.status() == before
    assert stopped.result(90).value == "answered"
    until(lambda: engine.trouble() == "")


@needs_signals
@pytest.mark.parametrize("end", ["", "os._exit(3)", "os.kill(os.getpid(), 9)"])
def test_it_ends_with_the_process_that_started_it(end: str) -> None:
    ran = subprocess.run([sys.executable, "-c", STARTS + end], cwd=ROOT, capture_output=True, text=True, timeout=120)
    until(lambda: not alive(int(ran.stdout)))
    assert ran.stderr == ""


def test_one_that_never_starts_is_told_in_a_sentence_and_what_was_asked_is_answered_when_one_does(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(client, "HEARTBEAT_S", 0.1)
    settings: dict[str, Any] = {"no such setting": 1}
    engine = ProcessEngine(settings)
    asked = engine.submit(Request(where, (1,)))
    until(
        lambda: (
            "cannot be used: its process ended with exit code 1; that was tried 3 times and is tried again every 10 s"
            in engine.trouble()
        )
    )
    assert engine.device() is client.STARTING
    assert engine.place(Request(where, (1,))).starting
    assert engine.status().waiting == 0
    monkeypatch.setattr(engine, "_settings", {})
    monkeypatch.setattr(engine, "_again", 0.0)
    assert asked.result(60).value > 0
    assert engine.trouble() == ""
    engine.close()
    assert "no such setting" in capfd.readouterr().err


def test_where_no_process_can_be_started_a_sentence_says_so() -> None:
    def fail(settings: dict[str, Any]) -> Child:
        raise OSError("no more processes")

    engine = ProcessEngine({}, fail)
    assert engine.trouble().startswith("the engine cannot be used: no more processes; that was tried 3 times")
    engine.close()


def test_who_leaves_before_it_starts_is_not_waited_for() -> None:
    engine = ProcessEngine()
    left = engine.submit(Request(where, (1,)))
    assert left.cancel()
    assert engine.place(Request(where, (2,))).starting
    assert engine.submit(Request(where, (2,))).result(60).value > 0
    assert not engine.place(Request(where, (2,))).starting
    until(lambda: engine.status().computed.get("where") in (1, 2))
    engine.close()
