"""How soon a new server shows a page and has its model, and what it holds then, beside a bare Streamlit page."""

import asyncio
import tempfile
import time
from pathlib import Path
from statistics import median

from benchmarks.load.onlooker import resident, resident_in_all
from benchmarks.load.visitors import visitors
from benchmarks.report import Report
from benchmarks.serving import BARE
from tests.browser.server import ROOT, serve
from vitviz.weights import load
from vitviz.weights.loading import PHOTO_FILE

ROUNDS = 5
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
    size = f"{PHOTO_FILE.stat().st_size / 1e6:.1f} MB, when a picture asks for it; those above read none of it"
    report.at_most("the model for photographs is read", median(_reading() for _ in range(ROUNDS)), 0.5, size, " s")


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
