"""How soon a new server shows a page and has its model, and what it holds then, beside a bare Streamlit page.

`python -m benchmarks.load.starting` measures what photographs add to that: memory before the first, after it, and
after more, and how soon the model that knows them is read.
"""

import asyncio
import tempfile
import time
from pathlib import Path
from statistics import median

from benchmarks.load.onlooker import children, resident, resident_in_all
from benchmarks.load.pictures import snapshot
from benchmarks.load.visitors import timed, visitors
from benchmarks.report import Report, machine
from benchmarks.serving import BARE
from tests.browser.server import ROOT, Server, serve
from vitviz.weights import load
from vitviz.weights.loading import PHOTO_FILE

ROUNDS = 5
PHOTOGRAPHS = 20
APP = ROOT / "app.py"


def measure(report: Report) -> None:
    """Servers started one after the other, of each kind in turn."""
    report.section(f"A server starts, and its first visitor comes: medians of {ROUNDS}, from the command on")
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder) / "bare.py"
        bare.write_text(BARE)
        kinds = {"bare": (bare, "process"), "inline": (APP, "inline"), "process": (APP, "process")}
        seen: dict[str, list[tuple[float, float, int, int]]] = {kind: [] for kind in kinds}
        for _ in range(ROUNDS):
            for kind, (script, engine) in kinds.items():
                seen[kind].append(_start(script, engine))
    page, model, alone, both = ({kind: median(it[at] for it in seen[kind]) for kind in kinds} for at in range(4))
    report.note("the bare page is visible", page["bare"], f"{alone['bare'] / 1e6:.0f} MB", " s")
    report.note("the front page is visible, the engine in the server", page["inline"], "", " s")
    report.note("the front page is visible, the engine apart", page["process"], "", " s")
    report.at_most("later than the bare page", page["process"] - page["bare"], 0.3, "one run, in turn", " s")
    report.note("its model has run, the engine in the server", model["inline"], "", " s")
    later = model["process"] - model["inline"]
    report.at_most("its model has run, later than there", later, 0, f"after {model['process']:.2f} s", " s")
    memory = f"with its engine {both['process'] / 1e6:.0f} MB; the engine in the server {both['inline'] / 1e6:.0f} MB"
    report.at_most("memory of the server after its first visitor", alone["process"] / 1e6, 200, memory, " MB")
    photographs(report)


def photographs(report: Report) -> None:
    """A server that is asked for the demo alone, then for one photograph, then for more, by one visitor each."""
    report.section(f"{PHOTOGRAPHS} bring a photograph each, one after the other; none has been there before")
    size = f"{PHOTO_FILE.stat().st_size / 1e6:.1f} MB"
    report.at_most("the model for photographs is read", median(_reading() for _ in range(ROUNDS)), 0.5, size, " s")
    with serve() as server:
        asyncio.run(_photographs(report, server))


async def _photographs(report: Report, server: Server) -> None:
    def say(when: str) -> None:
        web, engine = resident(server.pid), resident(children(server.pid)[0])
        report.note(
            f"memory {when}", (web + engine) / 1e6, f"web {web / 1e6:.0f} MB, engine {engine / 1e6:.0f} MB", " MB"
        )

    async with visitors(server.url, PHOTOGRAPHS) as people:
        for number, person in enumerate(people):
            await person.come("heads")
            await person.wants_to_bring()
            if number == 0:
                say("before the first photograph")
            seconds, page = await timed(person.bring(snapshot(number)))
            assert page.model == "photo"
            if number == 0:
                report.note(
                    "the first photograph's maps are there, its model read", seconds, "from the upload on", " s"
                )
                say("after it")
        report.note("those of the last", seconds, "", " s")
        say(f"after {PHOTOGRAPHS}")


def _reading() -> float:
    start = time.perf_counter()
    load("photo", device="cpu")
    return time.perf_counter() - start


def _start(script: Path, engine: str) -> tuple[float, float, int, int]:
    """Seconds to the first element of the page and to the end of the script; bytes of the server, with its engine."""
    start = time.perf_counter()
    with serve(script, engine=engine) as server:
        first, last = asyncio.run(_visit(server.url, start))
        return first, last, resident(server.pid), resident_in_all(server.pid)


async def _visit(url: str, start: float) -> tuple[float, float]:
    async with visitors(url, 1) as (person,):
        await person.open()
        await person.ask()
        page = await person.seen()
        assert not page.complaints, page.complaints
        return page.first - start, time.perf_counter() - start


if __name__ == "__main__":
    print(machine())
    photographs(Report())
