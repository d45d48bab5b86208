"""People on random pages with random models for half an hour, and what the engine and the server hold meanwhile.

`make load` has it; `python -m benchmarks.load.soak --minutes 5` measures it alone, and shorter.
"""

import argparse
import asyncio
import random
import time
from statistics import median
from typing import Any

from benchmarks.load.onlooker import children, resident
from benchmarks.load.pictures import photograph
from benchmarks.load.visitors import Visitor, timed, visitors
from benchmarks.report import Report, late, machine
from tests.browser.server import serve
from vitviz.config import PRESETS
from vitviz.engine import BUDGET_BYTES
from vitviz.machine.price import backward_bytes
from vitviz.pages import PAGES
from vitviz.shelf.rows import SHELF

SETTINGS: dict[str, Any] = {"runner.postScriptGC": "false"}
PEOPLE, MINUTES = 20, 30.0
OVER = 0.15  # of the budget
FLAT = 50  # MB that the server may grow from the middle of the time to its end
BRINGING = 5  # people, who have pictures of their own
CHANGES = 0.4  # of the visits: with another model, or another picture of one's own
READS = 2.0  # seconds that somebody looks at a page, in the mean
LOOK = 1.0  # seconds between two looks at the memory
SEEDS = 1000
VISITED = [entry.address for entry in PAGES.values() if entry.forward]
# Without those of which one step takes more than half of the budget: the gradient of ViT-L's loss takes 3 GB by itself.
MODELS = [*(name for name, config in PRESETS.items() if backward_bytes(config) < BUDGET_BYTES / 2), *SHELF]


def measure(report: Report, minutes: float = MINUTES) -> None:
    """A fresh server, and `PEOPLE` who go from page to page."""
    report.section(f"{PEOPLE} people on random pages with random models for {minutes:g} minutes")
    with serve(**SETTINGS) as server:
        engines, webs, waits, complaints = asyncio.run(_soak(server.url, server.pid, 60 * minutes))
    second_half = webs[len(webs) // 2 :]
    before = f"{engines[0]:,.0f} MB before anybody came; median {median(engines):,.0f} MB"
    budget = f"budget {BUDGET_BYTES / 1e6:,.0f} MB; {before}"
    report.at_most("most memory of the engine's process", max(engines), (1 + OVER) * BUDGET_BYTES / 1e6, budget, " MB")
    report.at_most(
        "the server grows in the second half", second_half[-1] - second_half[0], FLAT, f"{webs[-1]:,.0f} MB", " MB"
    )
    report.note("pages", len(waits), f"median {median(waits):.2f} s, 95th percentile {late(waits):.2f} s")
    report.at_most("pages with an error", len(complaints), 0, complaints[0][:100] if complaints else "none")


async def _soak(url: str, pid: int, seconds: float) -> tuple[list[float], list[float], list[float], list[str]]:
    """MB of the engine and of the server, seconds of each visit, and what pages complained of."""
    engines: list[float] = []
    webs: list[float] = []
    waits: list[float] = []
    complaints: list[str] = []
    until = time.monotonic() + seconds
    async with visitors(url, PEOPLE) as people:
        await people[0].come()
        walks = [asyncio.create_task(_walk(it, place, until, waits, complaints)) for place, it in enumerate(people)]
        while time.monotonic() < until:
            engines.append(sum(map(resident, children(pid))) / 1e6)
            webs.append(resident(pid) / 1e6)
            if len(webs) % 30 == 0:
                print(f"    {len(webs)} s: engine {engines[-1]:,.0f} MB, server {webs[-1]:,.0f} MB", flush=True)
            await asyncio.sleep(LOOK)
        await asyncio.gather(*walks)
    return engines, webs, waits, complaints


async def _walk(person: Visitor, place: int, until: float, waits: list[float], complaints: list[str]) -> None:
    chance, model = random.Random(place), "model=demo"
    if not person.link:
        await person.come()
    if place < BRINGING:
        await person.wants_to_bring()
    while time.monotonic() < until:
        if chance.random() < CHANGES:
            model = _model(chance)
        page = chance.choice(VISITED)
        query = f"{model}&layer={chance.randint(1, 6)}&head={chance.randint(1, 4)}"
        if place < BRINGING and chance.random() < CHANGES:
            await person.upload("upload", "photo.jpg", await asyncio.to_thread(photograph, chance.randrange(SEEDS)))
        seconds, seen = await timed(person.run(page, query))
        waits.append(seconds)
        complaints += seen.complaints
        await asyncio.sleep(chance.expovariate(1 / READS))


def _model(chance: random.Random) -> str:
    """A trained one, a known one from a seed, or one of sizes that nobody has asked for."""
    if chance.random() < 0.5:
        return f"model={chance.choice(MODELS)}&seed={chance.randrange(SEEDS)}"
    heads = chance.choice((2, 4, 8))
    sizes = f"dim={heads * 8 * chance.randint(2, 12)}&heads={heads}&depth={chance.randint(1, 16)}"
    return f"model=build-your-own&{sizes}&seed={chance.randrange(SEEDS)}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=MINUTES)
    print(machine())
    measure(Report(), parser.parse_args().minutes)
