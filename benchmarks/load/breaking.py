"""The engine alone, in this process: a budget that is filled over and over, and a worker that is killed at its work."""

import ctypes
import time
from threading import get_ident

import numpy as np

from benchmarks.report import Report
from vitviz.engine import Engine, Request

BUDGET, RESULTS, SIZE = 50_000_000, 200, 1_000_000  # bytes, and how many of which size
PATIENCE = 30  # seconds

_threads: list[int] = []


def measure(report: Report) -> None:
    """Both, with an engine each."""
    report.section("The engine alone")
    engine, most = Engine(budget=BUDGET), 0
    for place in range(RESULTS):
        engine.submit(Request(_filled, (place,))).result(PATIENCE)
        most = max(most, engine.status().held)
    report.at_most("most bytes kept / budget", most / BUDGET, 1.1, f"{RESULTS} results of {SIZE:,} B each")
    _threads.clear()
    engine = Engine()
    asked = engine.submit(Request(_until_killed))
    deadline = time.monotonic() + PATIENCE
    while not _threads and time.monotonic() < deadline:
        time.sleep(0.001)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(_threads[0]), ctypes.py_object(SystemExit))
    report.holds("a request whose worker was killed is answered", asked.result(PATIENCE).value, "by another worker")
    works = engine.submit(Request(_filled, (0,))).result(PATIENCE).nbytes == SIZE
    report.holds("the next one works", works and engine.status().restarts == 1, "one worker was replaced")


def _filled(place: int) -> np.ndarray:
    return np.full(SIZE, place % 256, np.uint8)


def _until_killed() -> bool:
    """Whether this is the second worker; the first one works until it is killed."""
    _threads.append(get_ident())
    while len(_threads) == 1:
        pass
    return _threads[0] != _threads[1]
