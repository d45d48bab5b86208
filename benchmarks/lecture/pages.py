"""A step that leads to another page: everybody's own session runs once, at a moment that its browser chooses."""

import asyncio
import time
from statistics import median

from benchmarks.lecture.room import gather
from benchmarks.load.visitors import Visitor, visitors
from benchmarks.report import Report, late
from benchmarks.serving import cpu_seconds
from tests.browser.pages import STEMS
from tests.browser.server import Server
from tests.unit.lecture.rooms.told import step
from tests.unit.ui.server.lecture.hall import Person

SPREAD = 2.0  # seconds: frontend/lecture/apply.js
STEPS = ("depth?layer=2", "encoder_block?layer=3", "heads?sample=coffee&layer=5")


async def measure(report: Report, server: Server, people: int) -> None:
    """Steps of a class whose sessions are there."""
    async with visitors(server.url, people) as sessions:
        await asyncio.gather(*(session.come("heads") for session in sessions))
        leader, crowd = await gather(server.url, people)
        report.section(f"{people} sessions follow to another page or picture, {SPREAD:g} s spread")
        reruns = await _within_a_page(leader, crowd, sessions)
        report.holds("a move inside a page runs no script", not reruns, f"{reruns} sessions said anything")
        everything: list[float] = []
        for number, view in enumerate(STEPS, 2):
            cpu = cpu_seconds(server.pid)
            times = await _to(view, number, leader, crowd, sessions)
            cost = 1000 * (cpu_seconds(server.pid) - cpu) / people
            words = f"median; 95th percentile {late(times):.2f} s; {cost:.1f} ms of the server's CPU time for each"
            report.note(view, median(times), words, " s")
            everything += times
        report.at_most("a page step, to the end of the script: 95th percentile", late(everything), 3, "", " s")
        await leader.say("close", True)
        await asyncio.gather(*(one.dropped() for one in (leader, *crowd)))


async def _within_a_page(leader: Person, crowd: list[Person], sessions: list[Visitor]) -> int:
    """Sessions of which anything is heard while the lecturer moves inside the page."""
    await asyncio.gather(*(session.until_quiet() for session in sessions))
    await leader.say("move", step(None, 1, view="heads?layer=4"))
    await asyncio.gather(*(person.heard("state") for person in crowd))
    said = await asyncio.gather(*(session.until_quiet() for session in sessions))
    return sum(page.nbytes > 0 for page in said)


async def _to(view: str, number: int, leader: Person, crowd: list[Person], sessions: list[Visitor]) -> list[float]:
    """Seconds from the lecturer's move to the end of each session's script."""
    page, _, query = view.partition("?")
    start = time.perf_counter()

    async def goes(person: Person, session: Visitor) -> float:
        told = await person.heard("state")
        assert told["view"] == view
        assert page in STEMS
        await asyncio.sleep(SPREAD * int(person.id[:8], 16) / 2**32)
        seen = await session.run(page, query)
        assert seen.complaints == [], seen.complaints
        return time.perf_counter() - start

    going = [asyncio.create_task(goes(*pair)) for pair in zip(crowd, sessions, strict=True)]
    await leader.say("move", step(None, number, view=view))
    return list(await asyncio.gather(*going))
