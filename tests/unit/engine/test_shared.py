"""One engine at a private socket for several web processes: what they share, and what none of them can do to others."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from tests.engine_calls import CALLS, GO, hold, note, until, wait_for, zeros
from vitviz import __version__
from vitviz.engine import Engine, Request
from vitviz.engine.process import Attached, ProcessEngine, client, private_socket
from vitviz.engine.process.private_socket import listening_at
from vitviz.engine.process.shared_host import accept

pytestmark = [
    pytest.mark.usefixtures("fresh_calls"),
    pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such sockets"),
]
GREETING = f"vitviz {__version__}\n".encode()


@pytest.fixture
def address() -> Iterator[Path]:
    """Where an engine may listen; pytest's own folders have names that are too long."""
    with tempfile.TemporaryDirectory(prefix="vitviz-") as folder:
        yield Path(folder) / "engine.sock"


@pytest.fixture
def engine(address: Path) -> Iterator[Engine]:
    """An engine of this process that threads serve at the address."""
    engine = Engine()
    listening = listening_at(address)
    Thread(target=accept, args=(listening, lambda: engine, set()), daemon=True).start()
    yield engine
    listening.close()


@pytest.fixture
def attach(address: Path) -> Iterator["Attach"]:
    """Another web process's side of it."""
    made: list[ProcessEngine] = []

    def attach() -> ProcessEngine:
        made.append(ProcessEngine(connect=lambda settings: Attached(str(address))))
        return made[-1]

    yield attach
    for each in made:
        each.close()


Attach = Callable[[], ProcessEngine]


def test_what_two_web_processes_ask_for_at_once_is_computed_once(engine: Engine, attach: Attach) -> None:
    one, other = attach(), attach()
    first = one.submit(Request(hold, ("shared",)))
    wait_for(engine, "hold")
    second = other.submit(Request(hold, ("shared",)))
    until(lambda: engine.status().joined == 1)
    GO.set()
    assert first.result(60).value == second.result(60).value == "shared"
    assert CALLS == ["shared"]
    assert one.status().finished == other.status().finished == 1


def test_a_budget_holds_for_all_together(address: Path, attach: Attach) -> None:
    engine, listening = Engine(budget=25_000), listening_at(address)
    Thread(target=accept, args=(listening, lambda: engine, set()), daemon=True).start()
    for place, web in enumerate([attach(), attach()] * 3):
        web.submit(Request(zeros, (10_000,), version=str(place))).result(60)
    assert (engine.status().results, engine.status().result_bytes) == (2, 20_000)
    listening.close()


def test_the_newest_of_a_person_counts_wherever_it_is_asked(engine: Engine, attach: Attach) -> None:
    one, other = attach(), attach()
    running = one.submit(Request(hold, ("runs",)), "bob")
    wait_for(engine, "hold")
    older = one.submit(Request(note, ("older",)), "ann")
    until(lambda: engine.status().waiting == 1)
    newer = other.submit(Request(note, ("newer",)), "ann")
    with pytest.raises(CancelledError):
        older.result(60)
    GO.set()
    assert newer.result(60).value == "newer"
    assert running.result(60).value == "runs"
    assert CALLS == ["runs", "newer"]


def test_what_a_web_process_had_asked_leaves_the_queue_with_it(engine: Engine, attach: Attach) -> None:
    one, other = attach(), attach()
    running = other.submit(Request(hold, ("runs",)))
    wait_for(engine, "hold")
    for place in range(5):
        one.submit(Request(note, (place,)), f"person {place}")
    until(lambda: engine.status().waiting == 5)
    one.close()
    until(lambda: engine.status().waiting == 0)
    GO.set()
    assert running.result(60).value == "runs"
    assert other.submit(Request(note, ("after",))).result(60).value == "after"
    assert CALLS == ["runs", "after"]


def test_what_only_waits_where_others_compute_is_asked_again_however_often_that_ends(
    engine: Engine, attach: Attach
) -> None:
    one, other = attach(), attach()
    running = one.submit(Request(hold, ("runs",)))
    wait_for(engine, "hold")
    waits = other.submit(Request(note, ("waits",)))
    for _ in range(client.ATTEMPTS + 1):
        until(lambda: other.status().waiting == 1)
        end_line(other)
    GO.set()
    assert (running.result(60).value, waits.result(60).value) == ("runs", "waits")


def end_line(web: ProcessEngine) -> None:
    """End the connection of a web process, and wait until it has noticed."""
    assert web._channel
    before = web._restarts
    web._channel.leave()
    until(lambda: web._restarts > before)


def test_one_that_is_not_there_is_told_in_a_sentence_and_found_when_it_is(
    address: Path, attach: Attach, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(private_socket, "LISTEN_TIMEOUT_S", 0.2)
    monkeypatch.setattr(client, "RETRY_S", 0.2)
    monkeypatch.setattr(client, "HEARTBEAT_S", 0.1)
    web = attach()
    asked = web.submit(Request(note, (1,)))
    until(
        lambda: "the engine cannot be used: nobody listens where it should be; that was tried 3 times" in web.trouble()
    )
    engine, listening = Engine(), listening_at(address)
    Thread(target=accept, args=(listening, lambda: engine, set()), daemon=True).start()
    assert asked.result(60).value == 1
    assert web.trouble() == ""
    listening.close()


def process(key: int) -> int:
    return os.getpid()


def stop_first(marker: str) -> str:
    """Stop the whole process in the first call."""
    path = Path(marker)
    if not path.exists():
        path.touch()
        os.kill(os.getpid(), signal.SIGSTOP)
        time.sleep(60)  # another thread may be the one that stops first
    return "answered"


@contextmanager
def kept_running(address: Path) -> Iterator[list[int]]:
    """An engine's process at the address, and another whenever it ends; their numbers."""
    started: list[subprocess.Popen[bytes]] = []
    numbers: list[int] = []
    over = False

    def keep() -> None:
        while not over:
            started.append(subprocess.Popen([sys.executable, "-m", "vitviz.engine.process.shared_host", str(address)]))
            numbers.append(started[-1].pid)
            started[-1].wait()

    thread = Thread(target=keep, daemon=True)
    thread.start()
    try:
        yield numbers
    finally:
        over = True
        started[-1].kill()
        thread.join(60)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells whose process is at the other end")
def test_one_that_is_killed_or_stops_is_replaced_and_each_asks_again_what_it_had_asked(
    address: Path, attach: Attach, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(private_socket, "LISTEN_TIMEOUT_S", 60)
    monkeypatch.setattr(client, "HEARTBEAT_S", 0.2)
    with kept_running(address) as numbers:
        webs = [attach(), attach(), attach()]
        assert {web.submit(Request(process, (0,))).result(60).value for web in webs} == {numbers[0]}
        asked = [web.submit(Request(process, (1, place)[:1], version=str(place))) for place, web in enumerate(webs)]
        os.kill(numbers[0], signal.SIGKILL)
        assert {future.result(60).value for future in asked} <= set(numbers[:2])
        until(lambda: len(numbers) == 2)
        assert {web.submit(Request(process, (2,))).result(60).value for web in webs} == {numbers[1]}
        monkeypatch.setattr(client, "SILENCE_LIMIT_S", 8.0)
        stopped = [web.submit(Request(stop_first, (str(tmp_path / "stopped"),))) for web in webs]
        assert [future.result(90).value for future in stopped] == ["answered"] * 3
        assert len(numbers) == 3


def half_a_library(key: int) -> None:
    raise AttributeError(f"no attribute {key}")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells whose process is at the other end")
def test_one_that_is_unsound_ends_and_the_next_inherits_what_it_knew(
    address: Path, attach: Attach, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(private_socket, "LISTEN_TIMEOUT_S", 60)
    with kept_running(address) as numbers:
        webs = [attach(), attach()]
        for key in range(4):  # the second ends the first process, and no other ends the next
            with pytest.raises(AttributeError, match=f"no attribute {key}"):
                webs[key % 2].submit(Request(half_a_library, (key,))).result(60)
            where = {web.submit(Request(process, (key,))).result(60).value for web in webs}
            assert where == {numbers[min(key, 1)]}
        assert len(numbers) == 2
