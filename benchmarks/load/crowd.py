"""A class of two hundred on one server, and what it does to them: `make load`.

    python -m benchmarks.load                 200 people
    python -m benchmarks.load --people 20     fewer
    python -m benchmarks.load --minutes 5     with a shorter soak

The visitors speak Streamlit's protocol and run in this process, on the same machine as the server. Beside the app
stands a bare Streamlit page with one slider, for comparison. The server forgets sessions that were cut off after
seconds, so that this run sees it, and may have no more files open than a shell gives it.
"""

import argparse
import asyncio
import os
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # before torch is imported; see benchmarks/timing.py


from benchmarks.load import breaking, leaving, soak, uploads
from benchmarks.load.onlooker import resident_in_all, watched
from benchmarks.load.pictures import photograph
from benchmarks.load.visitors import Page, Visitor, timed, visitors
from benchmarks.report import Report, late, machine
from benchmarks.serving import BARE
from tests.browser.server import Server, serve
from vitviz.config import PRESETS
from vitviz.forward import run_forward
from vitviz.images import open_image
from vitviz.measures.quantised import exact_weights
from vitviz.numbers import bytes_
from vitviz.samples import first
from vitviz.weights import Loaded, build, load

HASTE = 0.01  # seconds between two presses
FORGETS = 40  # seconds until the server forgets a session that was cut off
SETTINGS: dict[str, Any] = {"runner.postScriptGC": "false", "server.disconnectedSessionTTL": FORGETS}
OPEN_FILES = 1024
ROUNDS = 3
MASHED = "vit_base_patch16_224"
LAYERS, SEEDS = range(2, 12), range(11, 21)
KNOWS = load("photo")  # the model that a photograph of one's own is shown with


def main() -> None:
    """All of it, in the order of a lesson."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=soak.MINUTES, help="of the soak (default: %(default)g)")
    people, minutes = parser.parse_args().people, parser.parse_args().minutes
    print(machine())
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder) / "bare.py"
        bare.write_text(BARE)
        with serve(open_files=OPEN_FILES, **SETTINGS) as server, serve(bare, **SETTINGS) as plain:
            asyncio.run(_lesson(report, server, plain, people))
    uploads.measure(report, people)
    leaving.measure(report, people)
    breaking.measure(report)
    soak.measure(report, minutes)
    report.close()
    raise SystemExit(bool(report.missed))


async def _lesson(report: Report, server: Server, plain: Server, people: int) -> None:
    pictures = [photograph(seed) for seed in range(people)]
    alone = [by_itself(picture) for picture in pictures]
    async with visitors(server.url, 1) as (first,):
        await first.open()
        await first.run()
    baseline = resident_in_all(server.pid)
    with watched(server.url, server.pid) as watch:
        await _arrive(report, server, plain, people)
        await same_picture(report, server.url, people)
        await own_pictures(report, server.url, pictures, alone)
    report.section("The server meanwhile")
    health, memory, files = watch
    report.at_most("slowest answer of its health check", max(health), 1, f"{len(health)} asked", " s")
    enough = "Too many open files" not in server.said()
    report.holds("it never lacked a file to open", enough, f"{max(files):,} of {OPEN_FILES:,} at most")
    report.note("most memory", max(memory) / 1e6, f"{bytes_(baseline)} before anybody came", " MB")
    await asyncio.sleep(FORGETS + 3)
    async with visitors(server.url, 1) as (last,):
        await last.open()
        await last.run()
        held = (await _status(last))["Memory of results"]
    left = resident_in_all(server.pid) - baseline
    report.at_most("memory over the baseline when all have left", left / 1e6, 200, f"results: {held}", " MB")
    await one_in_a_hurry(report, server.url)


async def _arrive(report: Report, server: Server, plain: Server, people: int) -> None:
    report.section(f"{people} connect at once, from the first byte to the end of the script; {ROUNDS} rounds in turn")
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(ROUNDS):
        theirs += await arrivals(report, plain.url, people, "", "the bare page")
        ours += await arrivals(report, server.url, people, "", "the front page")
    _say(report, "bare page", theirs)
    _say(report, "front page", ours)
    report.at_most("95th percentile, front page / bare page", late(ours) / late(theirs), 2, "in the same run")


async def arrivals(report: Report, url: str, people: int, page: str, name: str) -> list[float]:
    """Seconds that each of `people` waits for a page that all open at once."""
    async with visitors(url, people) as crowd:
        seen = await asyncio.gather(*(timed(visitor.come(page)) for visitor in crowd))
        _all_well(report, name, [page for _, page in seen])
        if blank := sum(not page.of("heading") for _, page in seen):
            report.holds(f"{name}: nobody sees an empty page", False, f"{blank} do")
        return [seconds for seconds, _ in seen]


async def same_picture(report: Report, url: str, people: int) -> None:
    """One picture for all."""
    report.section(f"{people} open the same picture at once, which nobody has opened before")
    async with visitors(url, people) as crowd, visitors(url, 1) as (witness,):
        await witness.come()  # the server's own first picture has been answered then
        before = await _status(witness)
        seen = await asyncio.gather(*(timed(visitor.come("heads", "sample=coffee")) for visitor in crowd))
        after = await _status(witness)
        _all_well(report, "the Heads page", [page for _, page in seen])
        _say(report, "to the picture and all maps", [seconds for seconds, _ in seen])
        rows = [_numbers(page) for _, page in seen]
        equal = all(rows) and len(set(rows)) == 1
        report.holds("everybody has the same numbers", equal, "fp32 weights of the board, byte by byte")
        _exactly(report, "forwards", _forwards(after) - _forwards(before), 1)


async def own_pictures(report: Report, url: str, pictures: list[bytes], alone: list[bytes]) -> None:
    """A picture for each; `alone` are the numbers that each should lead to."""
    people = len(pictures)
    report.section(f"{people} upload {people} different pictures at once, 1600 x 1200")
    async with visitors(url, people) as crowd, visitors(url, 1) as (witness,):
        await witness.open()
        await asyncio.gather(*(visitor.come("heads") for visitor in crowd))
        await asyncio.gather(*(visitor.wants_to_bring() for visitor in crowd))
        before = await _status(witness)
        brought = (visitor.bring(picture) for visitor, picture in zip(crowd, pictures, strict=True))
        seen = await asyncio.gather(*map(timed, brought))
        after = await _status(witness)
        _all_well(report, "the Heads page with it", [page for _, page in seen])
        _say(report, "from the upload to its maps", [seconds for seconds, _ in seen])
        _exactly(report, "forwards", _forwards(after) - _forwards(before), people)
        shown = [_numbers(page) for _, page in seen]
        equal = sum(one == other for one, other in zip(shown, alone, strict=True))
        _exactly(report, "results bit-equal to a run of their own", equal, people)
        await _slide(report, crowd)
        await _cut_off(report, crowd, shown)


async def _slide(report: Report, crowd: list[Visitor]) -> None:
    times = []
    for layer in (3, 5):
        seen = await asyncio.gather(*(timed(visitor.move(f"layer={layer}")) for visitor in crowd))
        times += [seconds for seconds, _ in seen]
    _say(report, "all move the layer at once", times)


async def _cut_off(report: Report, crowd: list[Visitor], shown: list[bytes]) -> None:
    for visitor in crowd:
        visitor.cut_off()
    sessions = [visitor.session for visitor in crowd]
    await asyncio.sleep(1)
    seen = await asyncio.gather(*(timed(visitor.come("heads")) for visitor in crowd))
    _say(report, "all are cut off and come back", [seconds for seconds, _ in seen])
    kept = sum(visitor.session == session for visitor, session in zip(crowd, sessions, strict=True))
    _exactly(report, "sessions that were lost", len(crowd) - kept, 0)
    same = sum(_numbers(page) == numbers for (_, page), numbers in zip(seen, shown, strict=True))
    _exactly(report, "who see their own picture again", same, len(crowd))


async def one_in_a_hurry(report: Report, url: str) -> None:
    """Ten changes of a control before the first is shown."""
    report.section("One person presses a control ten times, quicker than anything is computed")
    async with visitors(url, 1) as (person,), visitors(url, 1) as (witness,):
        await witness.open()
        await person.come("heads", f"model={MASHED}")
        last_layer = f"layer={LAYERS[-1]}"
        for name, key, values in (("layer", "layer", LAYERS), ("seed of the model", "seed", SEEDS)):
            before = await _status(witness)
            for value in values:
                if key == "seed":
                    person.set("seed", double_value=value)
                await person.ask("heads", last_layer if key == "seed" else f"layer={value}")
                await asyncio.sleep(HASTE)
            page = await person.until_quiet()
            after = await _status(witness)
            forwards = _forwards(after) - _forwards(before)
            report.at_most(f"forward passes for ten changes of the {name}", forwards, 2, MASHED)
            _all_well(report, f"the page after ten changes of the {name}", [page])
            numbers = _numbers(await person.run("heads", last_layer))
            last = by_itself(first().data, build(PRESETS[MASHED], seed=SEEDS[-1] if key == "seed" else 0), LAYERS[-1])
            report.holds(f"the last {name} is what is shown", numbers == last, "fp32 weights, byte by byte")


def _all_well(report: Report, name: str, pages: list[Page]) -> None:
    wrong = [complaint for page in pages for complaint in page.complaints]
    if wrong:
        report.holds(f"{name}: nobody sees an error", False, f"{len(wrong)}, such as: {wrong[0][:100]}")


def _exactly(report: Report, name: str, value: int, wanted: int) -> None:
    report.holds(f"{name}: {value}", value == wanted, f"exactly {wanted}")


def _say(report: Report, name: str, times: list[float]) -> None:
    report.note(name, median(times), f"median; 95th percentile {late(times):.2f} s, slowest {max(times):.2f} s", " s")


async def _status(witness: Visitor) -> dict[str, str]:
    """What the server's own status page says."""
    return (await witness.run("status")).figures


def _forwards(status: dict[str, str]) -> int:
    return int(status["Forward passes computed"].replace(",", ""))


def _numbers(page: Page) -> bytes:
    """The fp32 weights of the class token that the board of a page gets, in the layer on screen."""
    found = [parts["row"] + parts["column"] for parts in page.numbers.values() if "row" in parts]
    return found[-1] if found else b""


def by_itself(data: bytes, loaded: Loaded = KNOWS, layer: int = 1) -> bytes:
    """The same numbers, computed here from the picture alone; `layer` counts from 1."""
    row, column = exact_weights(run_forward(loaded, open_image(data), with_maps=True).trace, layer - 1, 0)
    return row.tobytes() + column.tobytes()
