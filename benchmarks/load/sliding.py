"""Fifty people slide on pages that the server draws while others bring pictures, with the engine here and there.

`make load` has it; `python -m benchmarks.load.sliding` measures it alone. Both servers run all the time, and get their
visitors in turn, so that whoever else uses the machine slows both.
"""

import asyncio
import random
from statistics import median

from benchmarks.load.crowd import SETTINGS, late, photograph
from benchmarks.load.visitors import Visitor, timed, visitors
from benchmarks.report import Report
from tests.browser.server import serve

SLIDING, BRINGING = 50, 5  # people
PICTURES = 4  # of each who brings some, in a round
ROUNDS = 3
MOVES = 1.0  # seconds that a hand rests between two moves
PAGES = ("heads", "depth", "encoder_block")  # whose details are drawn by the server, layer by layer
ENGINES = {"inline": "in the server's process", "process": "in a process of its own"}


def measure(report: Report) -> None:
    """Rounds of both engines, in an order that chance gives."""
    report.section(f"{SLIDING} people slide while {BRINGING} bring pictures: {ROUNDS} rounds of both engines in turn")
    waits: dict[str, list[float]] = {name: [] for name in ENGINES}
    slides: dict[str, list[float]] = {name: [] for name in ENGINES}
    with serve(engine="inline", **SETTINGS) as inside, serve(engine="process", **SETTINGS) as apart:
        urls = {"inline": inside.url, "process": apart.url}
        for turn in range(ROUNDS):
            for name in random.sample([*ENGINES], len(ENGINES)):
                asyncio.run(_round(urls[name], turn, waits[name], slides[name]))
    for name, words in ENGINES.items():
        after = f"95th percentile {late(waits[name]):.2f} s; a slide {median(slides[name]):.2f} s"
        report.note(f"from the upload to its maps, {words}", median(waits[name]), f"median; {after}", " s")
    ratio = late(waits["process"]) / late(waits["inline"])
    report.at_most("95th percentile, process / in the server", ratio, 0.5, "one interleaved run of both")


async def _round(url: str, turn: int, waits: list[float], slides: list[float]) -> None:
    over = asyncio.Event()
    async with visitors(url, SLIDING) as hands, visitors(url, BRINGING) as guests:
        await asyncio.gather(*(person.come("heads") for person in (*hands, *guests)))
        await asyncio.gather(*(guest.wants_to_bring() for guest in guests))
        sliding = [asyncio.create_task(_slide(hand, place, over, slides)) for place, hand in enumerate(hands)]
        first = [PICTURES * (turn * BRINGING + place) for place in range(BRINGING)]
        await asyncio.gather(*(_bring(guest, seed, waits) for guest, seed in zip(guests, first, strict=True)))
        over.set()
        await asyncio.gather(*sliding)


async def _slide(person: Visitor, place: int, over: asyncio.Event, slides: list[float]) -> None:
    while not over.is_set():
        place += 1
        query = f"open=details&layer={place % 6 + 1}"
        seconds, page = await timed(person.run(PAGES[place % len(PAGES)], query))
        assert not page.complaints, page.complaints
        slides.append(seconds)
        await asyncio.sleep(MOVES)


async def _bring(person: Visitor, seed: int, waits: list[float]) -> None:
    for picture in range(seed, seed + PICTURES):
        seconds, page = await timed(person.bring(photograph(picture)))
        assert not page.complaints, page.complaints
        waits.append(seconds)


if __name__ == "__main__":
    measure(Report())
