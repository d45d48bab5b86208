"""What breaks: the engine's process is killed under a class, a worker ends at its work, and the budget is filled."""

import asyncio
import os
import signal
from threading import get_native_id

import numpy as np

from benchmarks.load.onlooker import children
from benchmarks.load.visitors import Visitor, timed, visitors
from benchmarks.report import Report
from tests.browser.server import Server, serve
from vitviz.engine import Engine, Request

BUDGET, RESULTS, SIZE = 50_000_000, 200, 1_000_000  # bytes, and how many of which size
ANSWER_TIMEOUT_S = 30  # seconds
PEOPLE, KILLS = 10, 10
SLOW = "model=vit_small_patch16_224"  # whose parameters take a moment to be drawn: the kill hits it at its work
AT_WORK = 0.15  # seconds

_threads: list[int] = []


def measure(report: Report) -> None:
    """All of it: a server of its own, and engines in this process."""
    with serve() as server:
        asyncio.run(killed(report, server))
    _budget(report)
    _worker(report)


async def killed(report: Report, server: Server, times: int = KILLS) -> None:
    """One person's request is under way and all others move a slider when the engine's process is killed."""
    report.section(f"The engine's process is killed {times} times in the middle of a request, {PEOPLE} people there")
    async with visitors(server.url, PEOPLE) as people:
        await asyncio.gather(*(person.come("heads") for person in people))
        sessions = [person.session for person in people]
        waited, others, complaints = [], [], list[str]()
        for turn in range(times):
            victim, *rest = people
            asked = asyncio.create_task(timed(victim.run("heads", f"{SLOW}&seed={turn + 1}")))
            await asyncio.sleep(AT_WORK)
            for process in children(server.pid):
                os.kill(process, signal.SIGKILL)
            seen = await asyncio.gather(*(timed(_slides(person, turn)) for person in rest))
            seconds, page = await asked
            waited.append(seconds - AT_WORK)
            others += [seconds for seconds, _ in seen]
            complaints += [*page.complaints, *(complaint for _, found in seen for complaint in found)]
        report.at_most("from the kill to the answer, the longest", max(waited), 8, "the process starts again", " s")
        report.at_most("answers to all others, the longest", max(others), 8, f"{len(others)} of them", " s")
        report.holds("nobody sees an error", not complaints, complaints[0][:100] if complaints else "on no page")
        lost = sum(person.session != session for person, session in zip(people, sessions, strict=True))
        report.at_most("sessions that were lost", lost, 0, f"of {PEOPLE}")


async def _slides(person: Visitor, turn: int) -> list[str]:
    """What somebody sees go wrong who looks at another layer with the numbers of the engine."""
    return (await person.run("depth", f"open=details&layer={turn % 6 + 1}")).complaints


def _budget(report: Report) -> None:
    report.section("The engine alone")
    engine, most = Engine(budget=BUDGET), 0
    for place in range(RESULTS):
        engine.submit(Request(_filled, (place,))).result(ANSWER_TIMEOUT_S)
        most = max(most, engine.status().result_bytes)
    report.at_most("most bytes kept / budget", most / BUDGET, 1.1, f"{RESULTS} results of {SIZE:,} B each")


def _worker(report: Report) -> None:
    _threads.clear()
    engine = Engine()
    answered = engine.submit(Request(_second_thread)).result(ANSWER_TIMEOUT_S).value
    report.holds("a request whose worker ended in the middle is answered", answered, "by another worker")
    works = engine.submit(Request(_filled, (0,))).result(ANSWER_TIMEOUT_S).nbytes == SIZE
    report.holds("the next one works", works and engine.status().restarts == 1, "one worker was replaced")


def _filled(place: int) -> np.ndarray:
    return np.full(SIZE, place % 256, np.uint8)


def _second_thread() -> bool:
    """Whether another thread runs this the second time; the first one ends."""
    _threads.append(get_native_id())
    if len(_threads) == 1:
        raise SystemExit
    return _threads[0] != _threads[1]
