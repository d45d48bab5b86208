"""Errors of two models end a process where they come close together, not where a day lies between; and it does end."""

import socket
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from tests.engine_calls import fail, note
from vitviz.engine import Engine, Request, failures
from vitviz.engine.failures import Failures, Heritage
from vitviz.engine.process import host
from vitviz.engine.process.private_socket import wire_of


@pytest.mark.parametrize(("between", "unsound"), [(failures.RETRY_S - 1, True), (86_400.0, False)])
def test_errors_of_two_models_count_together_for_a_while(
    monkeypatch: pytest.MonkeyPatch, between: float, unsound: bool
) -> None:
    now = 1000.0
    monkeypatch.setattr(failures.time, "monotonic", lambda: now)
    seen = Failures()
    assert not seen.note(Request(note, ("one",)), KeyError("first"))
    now += between
    assert seen.note(Request(note, ("two",)), ValueError("second")) == unsound
    now += 1
    assert seen.note(Request(note, ("three",)), TypeError("third")) == (not unsound)


def test_a_process_ends_although_somebody_connects_at_that_moment_or_cannot_be_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ended: list[int] = []
    monkeypatch.setattr(host.os, "_exit", ended.append)
    ours, theirs = socket.socketpair()
    wire = wire_of(ours)
    with ours, theirs:
        unborn = host.Host(wire, Engine, lambda: None)
        host.end_process([unborn], Failures().heritage)

        def fail(_: Heritage) -> None:
            raise OSError("no line")

        monkeypatch.setattr(unborn, "say_last", fail)
        with pytest.raises(OSError, match="no line"):
            host.end_process([unborn], Failures().heritage)
        wire.close()
    assert ended == [host.EXIT_CODE] * 2


class Full:
    """A log that nobody reads: who writes to it waits."""

    def __init__(self) -> None:
        self.written, self.read = Event(), Event()

    def write(self, words: str) -> None:
        self.written.set()
        self.read.wait(60)

    def flush(self) -> None:
        pass


def test_nobody_waits_for_a_log_that_nobody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    log, ended = Full(), Event()
    monkeypatch.setattr(sys, "stderr", log)
    monkeypatch.setattr(failures, "READ", 0.01)
    engine = Engine(ends=lambda heritage: ended.set())
    with ThreadPoolExecutor(1) as beside:
        try:
            for model in ("one", "two"):
                engine.submit(Request(fail, (model,)))
            assert log.written.wait(60)
            assert beside.submit(engine.status).result(60).failed == 1, "the lock is free"
            assert ended.wait(60)
        finally:
            log.read.set()


def test_a_process_ends_although_nobody_reads_its_log(monkeypatch: pytest.MonkeyPatch) -> None:
    log, ended = Full(), list[int]()
    monkeypatch.setattr(sys, "stderr", log)
    monkeypatch.setattr(failures, "READ", 0.01)
    monkeypatch.setattr(host.os, "_exit", ended.append)
    with ThreadPoolExecutor(1) as beside:
        try:
            beside.submit(host.end_process, [], Failures().heritage).result(60)
            assert log.written.is_set()
            assert ended == [host.EXIT_CODE]
        finally:
            log.read.set()
