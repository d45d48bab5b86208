"""Two hundred upload a photograph of their own at once, and the photograph model shows them: who waits for what.

`make load` has it; `python -m benchmarks.load.uploads --people 50` measures it alone, with fewer. At the same moment
some upload one and have chosen the demo model, and others walk over pages. Before that a whole crowd has chosen the
demo model: what the few are compared with.
"""

import argparse
import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from benchmarks.load.onlooker import children, resident_in_all, watched
from benchmarks.load.pictures import snapshot
from benchmarks.load.visitors import Page, Visitor, timed, visitors
from benchmarks.report import Report, late, machine
from benchmarks.serving import cpu_seconds
from tests.browser.server import Server, serve
from vitviz.config import PRESETS
from vitviz.ui.sidebar.models.listed import label

PEOPLE = 200
SETTINGS: dict[str, Any] = {"runner.postScriptGC": "false"}
CHOOSING, WALKING = 10, 10  # people beside the crowd: who have chosen the demo model, and who bring nothing
LOOKING = 10  # people beside it who look at the tokens of what they bring
MOVES = 1.0  # seconds that somebody looks at a page, in the mean
PAGES = "patch_grid", "position_embedding", "heads", "depth", "encoder_block", "class_head"
UNTOLD_S = 3.0  # seconds after which somebody who waits should have been told the place
IN_TURN, OTHERS = 45, 1.5  # seconds


@dataclass
class Brought:
    """What came of an upload: seconds until the picture was there in patches, until all of the page was, and that."""

    seen: float
    seconds: float
    page: Page

    @property
    def told(self) -> bool:
        """Whether the place in the queue was said."""
        return any(it.body.startswith("You are number ") for it in self.page.of("markdown"))


def measure(report: Report, people: int = PEOPLE) -> None:
    """A fresh server, the crowd with the demo model, and another with the photograph model."""
    with serve(**SETTINGS) as server:
        asyncio.run(_lesson(report, server, people))


async def _lesson(report: Report, server: Server, people: int) -> None:
    many = 2 * people + CHOOSING + LOOKING
    pictures = await asyncio.to_thread(lambda: [snapshot(seed) for seed in range(many)])
    async with visitors(server.url, 1) as (first,):
        await first.come("heads")
    before = resident_in_all(server.pid)
    report.section(f"{people} upload {people} photographs at once, 1600 x 1200, and have chosen the demo model")
    async with visitors(server.url, people) as crowd:
        held = await _bring_all(crowd, pictures[:people], "demo")
    _say(report, "from the upload to the demo's maps", _seconds(held))
    report.section(f"{people} do so, and have the photograph model; {CHOOSING} the demo, {WALKING} walk")
    async with (
        visitors(server.url, people) as crowd,
        visitors(server.url, CHOOSING) as few,
        visitors(server.url, LOOKING) as lookers,
        visitors(server.url, WALKING) as walkers,
    ):
        await asyncio.gather(*(walker.come("heads") for walker in walkers))
        with watched(server.url, server.pid) as (health, memory, _):
            over, walked = asyncio.Event(), list[tuple[float, Page]]()
            walks = [asyncio.create_task(_walk(it, place, over, walked)) for place, it in enumerate(walkers)]
            engine = children(server.pid)[0]
            spent = [cpu_seconds(server.pid), cpu_seconds(engine)]
            photographs, demos, tokens = await asyncio.gather(
                _bring_all(crowd, pictures[people : 2 * people], "photo"),
                _bring_all(few, pictures[2 * people : many - LOOKING], "demo"),
                _bring_all(lookers, pictures[many - LOOKING :], "photo", "patch_embedding"),
            )
            over.set()
            await asyncio.gather(*walks)
            spent = [cpu_seconds(server.pid) - spent[0], cpu_seconds(engine) - spent[1]]
    _say(report, "from the upload to the picture in its patches", [it.seen for it in photographs])
    _say(report, f"from the upload to the tokens of the {LOOKING} who look at them", _seconds(tokens))
    ratio = late([it.seen for it in photographs]) / late(_seconds(held))
    report.at_most("patches, 95th percentile / the demo's maps when all have chosen it", ratio, 1, "one run, before")
    _say(report, "to the photograph model's maps", _seconds(photographs))
    report.at_most("95th percentile", late(_seconds(photographs)), IN_TURN, "in turn", " s")
    waiting = [it for it in photographs if it.seconds > UNTOLD_S]
    untold = sum(not it.told for it in waiting)
    report.at_most(f"who waited longer than {UNTOLD_S:g} s and was told no place", untold, 0, f"of {len(waiting)}")
    _say(report, "from the upload to the demo's maps", _seconds(demos))
    ratio = late(_seconds(demos)) / late(_seconds(held))
    report.at_most("95th percentile / when all have chosen it", ratio, 1, "one run, before")
    waits = [seconds for seconds, _ in walked]
    _say(report, f"pages of the {WALKING} who walk", waits)
    report.at_most("95th percentile", late(waits), OTHERS, f"{len(waits)} pages", " s")
    report.at_most("slowest answer of the health check", max(health), 1, f"{len(health)} asked", " s")
    report.note("CPU time of the server", spent[0], f"of its engine {spent[1]:.1f} s", " s")
    report.note("most memory", max(memory) / 1e6, f"{before / 1e6:.0f} MB before anybody came", " MB")
    pages = [*(page for _, page in walked), *(it.page for it in (*held, *photographs, *demos, *tokens))]
    complaints = [complaint for page in pages for complaint in page.complaints]
    report.at_most("pages with an error", len(complaints), 0, complaints[0][:100] if complaints else "none")


async def _bring_all(
    people: Sequence[Visitor], pictures: Sequence[bytes], model: str, stem: str = "heads"
) -> list[Brought]:
    """All choose to upload, who should keep the demo model chooses it again; then all upload at once."""
    await asyncio.gather(*(person.come(stem) for person in people))
    for chosen in ("photo", "demo") if model == "demo" else ():
        for person in people:
            person.set("model_shown", string_value=label(chosen))
        await asyncio.gather(*(person.run(stem) for person in people))
    await asyncio.gather(*(person.wants_to_bring(stem) for person in people))
    brought = await asyncio.gather(*(_bring(*it, stem) for it in zip(people, pictures, strict=True)))
    assert all(it.page.model == model for it in brought), {it.page.model for it in brought}
    return brought


async def _bring(person: Visitor, picture: bytes, stem: str) -> Brought:
    start = time.perf_counter()
    page = await person.bring(picture, stem)
    return Brought(page.opened - start, time.perf_counter() - start, page)


async def _walk(person: Visitor, place: int, over: asyncio.Event, walked: list[tuple[float, Page]]) -> None:
    chance, config = random.Random(place), PRESETS["demo"]
    while not over.is_set():
        query = f"layer={chance.randint(1, config.depth)}&query={chance.randrange(config.tokens)}"
        walked.append(await timed(person.run(chance.choice(PAGES), query)))
        await asyncio.sleep(chance.expovariate(1 / MOVES))


def _seconds(brought: list[Brought]) -> list[float]:
    return [it.seconds for it in brought]


def _say(report: Report, name: str, times: list[float]) -> None:
    report.note(name, median(times), f"median; 95th percentile {late(times):.2f} s, slowest {max(times):.2f} s", " s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=PEOPLE)
    print(machine())
    measure(Report(), parser.parse_args().people)
