"""Somebody who looks at a server a few times a second, in a process of its own: how soon it says that it is well."""

import multiprocessing
import os
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path

PAUSE = 0.2  # seconds between two looks
Seen = tuple[list[float], list[int], list[int]]  # at each look: seconds of the answer, bytes of memory, open files


@contextmanager
def watched(url: str, pid: int) -> Iterator[Seen]:
    """Three lists that are filled when the `with` ends."""
    seen: Seen = [], [], []
    here, there = multiprocessing.Pipe()
    onlooker = multiprocessing.get_context("spawn").Process(target=_look, args=(url, pid, there), daemon=True)
    onlooker.start()
    there.close()  # the child has its own; if it dies, `recv` ends
    here.recv()
    try:
        yield seen
    finally:
        here.send("enough")
        answers, memory, files = here.recv()
        seen[0].extend(answers)
        seen[1].extend(memory)
        seen[2].extend(files)
        onlooker.join()


def resident(pid: int) -> int:
    """Bytes of memory that a process has."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS"))


def resident_in_all(pid: int) -> int:
    """Bytes of memory of a server and its engine; pages of shared libraries count for both."""
    return resident(pid) + sum(map(resident_in_all, children(pid)))


def children(pid: int) -> list[int]:
    """The processes that a process started and that run: a server's engine.

    One that has been forked and runs no program of its own yet is not among them: its parent waits for that, and would
    stand still with it.
    """
    numbers: list[int] = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(FileNotFoundError):  # a thread that has ended meanwhile
            numbers += map(int, path.read_text().split())
    return [number for number in numbers if _command(number) not in ("", _command(pid))]


def _command(pid: int) -> str:
    """With what a process was called; nothing where it has ended."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/cmdline").read_text()
    return ""


def open_files(pid: int) -> int:
    """Files and connections that a process has open."""
    return len(os.listdir(f"/proc/{pid}/fd"))


def _look(url: str, pid: int, there: Connection) -> None:
    seen: Seen = [], [], []
    there.send("here")
    while not there.poll(PAUSE):
        start = time.perf_counter()
        with urllib.request.urlopen(f"{url}/_stcore/health", timeout=60) as answer:
            assert answer.read() == b"ok"
        seen[0].append(time.perf_counter() - start)
        seen[1].append(resident_in_all(pid))
        seen[2].append(open_files(pid))
    there.send(seen)
