"""Who may connect to an engine that several web processes share, and what nobody can do there to the others."""

import os
import select
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import pytest

from tests.engine_calls import note, until, zeros
from tests.unit.engine.test_shared import Attach
from tests.unit.engine.test_shared import address as address  # fixtures
from tests.unit.engine.test_shared import attach as attach
from tests.unit.engine.test_shared import engine as engine
from vitviz import __version__
from vitviz.engine import Engine, Request
from vitviz.engine.process import client, private_socket
from vitviz.engine.process.private_socket import listening_at, wire_of
from vitviz.engine.process.wire import COUNT, LENGTH, pack

pytestmark = [
    pytest.mark.usefixtures("fresh_calls"),
    pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such sockets"),
]
GREETING = f"vitviz {__version__}\n".encode()


@contextmanager
def stranger(address: Path) -> Iterator[socket.socket]:
    """A connection that says what the test says."""
    with socket.socket(socket.AF_UNIX) as connected:
        connected.settimeout(20)
        connected.connect(str(address))
        yield connected


def hung_up(connected: socket.socket) -> bool:
    """Whether the other end hangs up, after whatever it still says."""
    try:
        while connected.recv(1 << 16):
            pass
    except ConnectionResetError:
        pass
    return True


RUBBISH = {
    "another protocol": b"GET / HTTP/1.1\r\n\r\n",
    "nothing": b"",
    "half a greeting": GREETING[:5],
    "endlessly many parts": GREETING + COUNT.pack(2**32 - 1),
    "no part": GREETING + COUNT.pack(0),
    "endless parts": GREETING + COUNT.pack(2) + LENGTH.pack(2**63) * 2,
    "half a message": GREETING + COUNT.pack(1) + LENGTH.pack(1000) + b"x" * 10,
    "no pickle": GREETING + COUNT.pack(1) + LENGTH.pack(64) + b"\x93" * 64,
}


@pytest.mark.parametrize("said", RUBBISH.values(), ids=RUBBISH)
def test_who_sends_rubbish_is_dropped_and_the_others_are_served(
    said: bytes, engine: Engine, attach: Attach, address: Path
) -> None:
    web = attach()
    with stranger(address) as connected:
        connected.sendall(said)
        connected.shutdown(socket.SHUT_WR)
        assert hung_up(connected)
    assert web.submit(Request(note, ("served",))).result(60).value == "served"


@pytest.mark.parametrize("words", [("no such word",), ("submit",), ("_listen",), 7], ids=str)
def test_who_says_what_means_nothing_is_dropped(words: object, engine: Engine, attach: Attach, address: Path) -> None:
    web = attach()
    with stranger(address) as connected:
        wire = wire_of(connected)
        wire.greet()
        wire.send(words)  # type: ignore[arg-type]
        assert hung_up(connected)
    assert web.submit(Request(note, ("served",))).result(60).value == "served"


def test_who_reads_nothing_keeps_nobody_waiting_and_is_dropped(
    engine: Engine, attach: Attach, address: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(private_socket, "STALLED", 1)
    web = attach()
    with stranger(address) as slow:
        wire = wire_of(slow)
        wire.greet()
        for number in range(5):
            wire.send(("submit", number, "", False), pack(Request(zeros, (10_000_000,), version=str(number)))[0])
        until(lambda: engine.status().finished == 5)
        assert web.submit(Request(note, ("served",))).result(60).value == "served"
        end = select.poll()
        end.register(slow, 0)  # of nothing but the end
        assert end.poll(20_000)


def test_another_version_is_refused_with_both(address: Path, attach: Attach, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(private_socket, "LISTEN_TIMEOUT_S", 0.2)

    def be_another(listening: socket.socket) -> None:
        for _ in range(client.MAX_STARTS):
            connected, _ = listening.accept()
            connected.sendall(b"vitviz 99.9\n")
            assert hung_up(connected)
            connected.close()

    with listening_at(address) as listening:
        Thread(target=be_another, args=(listening,), daemon=True).start()
        web = attach()
        until(lambda: f"it is vitviz 99.9 and this server is vitviz {__version__}, and both" in web.trouble())


def test_a_web_process_of_another_version_is_told_ours_and_dropped(engine: Engine, address: Path) -> None:
    with stranger(address) as connected:
        connected.sendall(b"vitviz 99.9\n")
        assert connected.recv(len(GREETING)) == GREETING
        assert hung_up(connected)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells whose process is at the other end")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_process_of_another_user_is_hung_up_on_at_both_ends(
    engine: Engine,
    address: Path,
    attach: Attach,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    for name, seconds in {"HEARTBEAT_S": 0.1, "RETRY_S": 0.2}.items():
        monkeypatch.setattr(client, name, seconds)
    said = f"the process at the other end is of user {os.geteuid() + 1}, and this one of {os.geteuid()}"
    whose = SimpleNamespace(size=private_socket.PEER.size, unpack=lambda _: (1, os.geteuid() + 1, 1))
    with monkeypatch.context() as patch:
        patch.setattr(private_socket, "PEER", whose)
        with stranger(address) as connected:
            assert hung_up(connected), "before a word was said"
        assert f"the engine hangs up: {said}" in capfd.readouterr().err
        web = attach()
        until(lambda: "its socket is open to others" in web.trouble())
        assert f"vitviz: {said}" in capfd.readouterr().err
    until(lambda: not web.trouble())  # and nobody prints any more


def test_a_folder_that_others_may_enter_is_not_used(
    address: Path, attach: Attach, capfd: pytest.CaptureFixture[str]
) -> None:
    address.parent.chmod(0o755)
    with pytest.raises(PermissionError, match="must be this user's alone"):
        listening_at(address)
    web = attach()
    until(lambda: "its socket is open to others" in web.trouble())
    assert str(address.parent) not in web.trouble(), "which visitors read"
    assert f"{address.parent} must be this user's alone" in capfd.readouterr().err
