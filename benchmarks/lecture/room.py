"""What goes over a lecture's lines: moves, the pointer, guesses, coming back, and what is left when all have gone."""

import asyncio
import gc
import json
import random
import time
from collections.abc import Sequence
from statistics import median

from benchmarks.load.onlooker import resident
from benchmarks.report import Report, late
from benchmarks.serving import cpu_seconds
from tests.browser.server import Server
from tests.unit.lecture.rooms.told import PATCH, answer, step
from tests.unit.ui.server.lecture.hall import Person, follow, lead

MOVES, APART = 60, 0.15  # seconds between two moves: a lecturer may say ten things a second
STEPS = 30  # of the lesson; the moves go through them again and again
LAST = 1 + (MOVES - 1) % STEPS
RATE, POINTED = 20, 10.0  # Hz, and for how many seconds
ASLEEP = 5  # browsers more that take nothing of what they are told
KNOCK = 0.2  # seconds until a browser knocks for the first time, at most: frontend/lecture/socket.js
MESSAGE_TIMEOUT_S = 30.0
SETTLED = 8.0  # seconds after which a new server does nothing by itself any more
QUIET = 3.0  # seconds after which a server has tidied up
OVER = 20  # MB over the baseline


async def measure(report: Report, server: Server, people: int) -> None:
    """All of it with one class, on a server that nobody has asked for anything before."""
    await asyncio.sleep(SETTLED)
    before = resident(server.pid)
    report.section(f"{people} follow one, over lines of our own; {ASLEEP} more read nothing")
    start = time.perf_counter()
    leader, crowd = await gather(server.url, people)
    report.note("all are there", time.perf_counter() - start, "connected, and told what is on screen", " s")
    sleepers = [await follow(server.url, room_for=4_096) for _ in range(ASLEEP)]
    for one in sleepers:
        one.connection.transport.pause_reading()
    await moves(report, server.pid, leader, crowd)
    await pointer(report, server.pid, leader, crowd)
    await guesses(report, leader, crowd)
    for one in sleepers:
        one.connection.transport.abort()
    await come_back(report, server.url, crowd)
    await leader.say("close", True)
    await asyncio.gather(*(one.dropped() for one in (leader, *crowd)))
    gc.collect()
    await asyncio.sleep(QUIET)
    after = (resident(server.pid) - before) / 1e6
    report.at_most(
        "memory over the baseline when the room is closed", after, OVER, f"{before / 1e6:.0f} MB before", " MB"
    )


async def gather(url: str, people: int) -> tuple[Person, list[Person]]:
    """A lecturer, and those who follow, who all have heard what is on screen."""
    leader = await lead(url)
    await leader.heard("state")
    crowd = list(await asyncio.gather(*(follow(url) for _ in range(people))))
    await asyncio.gather(*(person.heard("state") for person in crowd))
    return leader, crowd


async def moves(report: Report, pid: int, leader: Person, crowd: Sequence[Person]) -> None:
    """The lecturer goes from step to step inside a page."""
    listening = [asyncio.create_task(_times(person, "state", MOVES)) for person in crowd]
    cpu, start, said = cpu_seconds(pid), time.perf_counter(), []
    for number in range(MOVES):
        said.append(time.perf_counter())
        await leader.say("move", step(PATCH, 1 + number % STEPS, says="What is said takes a sentence or two. " * 4))
        await asyncio.sleep(max(0.0, start + (number + 1) * APART - time.perf_counter()))
    heard = await asyncio.gather(*listening)
    cost = cpu_seconds(pid) - cpu
    delays = [1000 * (there - here) for times in heard for here, there in zip(said, times, strict=True)]
    report.note("a move reaches everybody: median", median(delays), f"slowest {max(delays):.0f} ms", " ms")
    report.at_most("a move reaches everybody: 95th percentile", late(delays), 250, f"{len(delays):,} told", " ms")
    report.at_most(
        "CPU time of the server for a move", 1000 * cost / MOVES, 10, f"{MOVES} moves, and health checks", " ms"
    )


async def pointer(report: Report, pid: int, leader: Person, crowd: Sequence[Person]) -> None:
    """The lecturer's pointer, as often as it may move."""
    many = int(RATE * POINTED)
    listening = [asyncio.create_task(_times(person, "pointer", many)) for person in crowd]
    cpu, start, said = cpu_seconds(pid), time.perf_counter(), []
    for number in range(many):
        said.append(time.perf_counter())
        await leader.say("pointer", ["photo", number / many, 0.5])
        await asyncio.sleep(max(0.0, start + (number + 1) / RATE - time.perf_counter()))
    took = time.perf_counter() - start
    share = (cpu_seconds(pid) - cpu) / took
    heard = await asyncio.gather(*listening)
    delays = [1000 * (there - here) for times in heard for here, there in zip(said, times, strict=True)]
    words = f"{len(delays):,} of {many * len(crowd):,} told, 95th percentile {late(delays):.0f} ms"
    report.at_most(f"the pointer at {RATE} Hz, of a core", 100 * share, 15, words, " %")


async def guesses(report: Report, leader: Person, crowd: Sequence[Person]) -> None:
    """Everybody guesses at once."""
    await leader.say("ask", 1)
    await asyncio.gather(*(_until_open(person) for person in crowd))
    start = time.perf_counter()
    heard = [asyncio.create_task(person.heard("voted")) for person in crowd]
    await asyncio.gather(*(person.say("vote", number % 4) for number, person in enumerate(crowd)))
    await asyncio.gather(*heard)
    counted = time.perf_counter() - start
    while (await leader.heard("votes"))["voted"] < len(crowd):
        pass
    seen = time.perf_counter() - start
    words = f"the lecturer sees all of them after {1000 * seen:.0f} ms"
    report.at_most(f"{len(crowd)} guesses are counted", 1000 * counted, 200, words, " ms")
    await leader.say("reveal", answer("patch", LAST))
    told = [await person.heard("state") for person in crowd]
    right = {(it["result"]["rounds"][0]["voted"], it["result"]["rounds"][0]["right"]) for it in told}
    sure = {(len(crowd), sum(number % 4 in (1, 2) for number in range(len(crowd))))}
    report.holds("everybody sees the same sums, and they are right", right == sure, f"{right}")


async def come_back(report: Report, url: str, crowd: list[Person]) -> None:
    """All lose their lines at the same moment, and knock as soon as their browsers do."""
    for person in crowd:
        person.connection.transport.abort()
    start = time.perf_counter()

    async def again() -> tuple[float, Person]:
        await asyncio.sleep(KNOCK * (0.5 + random.random() / 2))
        person = await follow(url)
        await person.heard("state")
        return time.perf_counter() - start, person

    back = await asyncio.gather(*(again() for _ in crowd))
    crowd[:] = [person for _, person in back]
    times = [seconds for seconds, _ in back]
    words = f"median {median(times):.2f} s, when all are cut off at once"
    report.at_most("a lost line is back: the last of all", max(times), 2, words, " s")


async def _times(person: Person, word: str, many: int) -> list[float]:
    """When each of so many messages came."""
    times: list[float] = []
    while len(times) < many:
        text = await asyncio.wait_for(person.connection.recv(), MESSAGE_TIMEOUT_S)
        if next(iter(json.loads(text))) == word:
            times.append(time.perf_counter())
    return times


async def _until_open(person: Person) -> None:
    while (await person.heard("state"))["phase"] != "open":
        pass
