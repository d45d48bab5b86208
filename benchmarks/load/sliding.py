"""Fifty people slide on pages that the server draws while others bring pictures, with the engine here and there.

`make load` has it; `python -m benchmarks.load.sliding` measures it alone, and with the name of a folder beside the
older version whose files lie there: `git worktree add FOLDER dffed32^` is the last one whose engine ran in the server's
process. All servers run all the time, and get their visitors in turn, so that whoever else uses the machine slows all.
"""

import asyncio
import random
import sys
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from benchmarks.load.crowd import SETTINGS
from benchmarks.load.pictures import photograph
from benchmarks.load.visitors import Visitor, timed, visitors
from benchmarks.report import Report, late
from tests.browser.server import serve

SLIDING, BRINGING = 50, 5  # people
PICTURES = 4  # of each who brings some, in a round
ROUNDS = 3
MOVES = 1.0  # seconds that a hand rests between two moves
PAGES = ("heads", "depth", "encoder_block")  # whose details are drawn by the server, layer by layer
ENGINES = {"inline": "in the server's process", "process": "in a process of its own"}
BEFORE = "before"


def measure(report: Report, older: Path | None = None) -> None:
    """Rounds of both engines, and of the version in the folder `older`, in an order that chance gives."""
    kinds = ENGINES | ({BEFORE: "in the server's process, before"} if older else {})
    report.section(f"{SLIDING} people slide while {BRINGING} bring pictures: {ROUNDS} rounds of all in turn")
    waits: dict[str, list[float]] = {name: [] for name in kinds}
    slides: dict[str, list[float]] = {name: [] for name in kinds}
    with ExitStack() as stack:
        urls = {name: stack.enter_context(serve(engine=name, **SETTINGS)).url for name in ENGINES}
        if older:
            before = serve(older / "app.py", engine="inline", folder=older, **SETTINGS)
            urls[BEFORE] = stack.enter_context(before).url
        for turn in range(ROUNDS):
            for name in random.sample([*kinds], len(kinds)):
                asyncio.run(_round(urls[name], turn, waits[name], slides[name]))
    for name, words in kinds.items():
        after = f"95th percentile {late(waits[name]):.2f} s; a slide {median(slides[name]):.2f} s"
        report.note(f"from the upload to its maps, {words}", median(waits[name]), f"median; {after}", " s")
    ratio = late(waits["process"]) / late(waits["inline"])
    report.note("95th percentile, process / in the server", ratio, "one interleaved run of both")
    if older:
        ratio = late(waits["process"]) / late(waits[BEFORE])
        report.at_most("95th percentile, process / before", ratio, 0.5, "one interleaved run of both")


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
    measure(Report(), Path(sys.argv[1]).resolve() if sys.argv[1:] else None)
