"""People with large pictures of their own, and how much of them a server keeps when all have left.

`make load` has it; `python -m benchmarks.load.leaving` measures it alone, with two hundred.
"""

import asyncio
from io import BytesIO
from typing import Any

import numpy as np
from PIL import Image

from benchmarks.load.onlooker import resident_in_all
from benchmarks.load.visitors import Visitor, visitors
from benchmarks.report import Report
from tests.browser.server import Server, serve

FORGETS = 5  # seconds until the server forgets a session that was cut off; ten minutes in deploy/serve
SETTINGS: dict[str, Any] = {
    "runner.postScriptGC": "false",
    "server.disconnectedSessionTTL": FORGETS,
    "server.maxUploadSize": 20,
}
TOGETHER = 25  # people
TIDIES = 3  # seconds later it has given memory back
OVER = 200  # MB over the baseline


def measure(report: Report, people: int) -> None:
    """A fresh server, and `people` in groups."""
    picture = large_photograph()
    report.section(
        f"{people} bring pictures of {len(picture) / 1e6:.1f} MB, {min(people, TOGETHER)} at once, and leave"
    )
    with serve(**SETTINGS) as server:
        before, most, after, held = asyncio.run(_lesson(server, people, picture))
    baseline = f"{before / 1e6:.0f} MB before anybody came"
    report.note("memory over the baseline with a group there", (most - before) / 1e6, baseline, " MB")
    report.at_most(
        "memory over the baseline when all have left", (after - before) / 1e6, OVER, f"results: {held}", " MB"
    )


def large_photograph() -> bytes:
    """A JPEG of 12 million pixels and some 5 MB, as a phone takes it."""
    noise = np.random.default_rng(0).integers(0, 256, (750, 1000, 3), np.uint8)
    buffer = BytesIO()
    Image.fromarray(noise).resize((4000, 3000), Image.Resampling.BICUBIC).save(buffer, "JPEG", quality=88)
    return buffer.getvalue()


async def _lesson(server: Server, people: int, picture: bytes) -> tuple[int, int, int, str]:
    async with visitors(server.url, 1) as (first,):
        await first.come("heads")
    before, most = resident_in_all(server.pid), 0
    for start in range(0, people, TOGETHER):
        async with visitors(server.url, min(TOGETHER, people - start)) as crowd:
            await asyncio.gather(*(_bring(visitor, picture, start + at) for at, visitor in enumerate(crowd)))
            most = max(most, resident_in_all(server.pid))
    after = await _quiet(server)
    async with visitors(server.url, 1) as (last,):
        await last.open()
        return before, most, after, (await last.run("status")).figures["Memory of results"]


async def _bring(visitor: Visitor, picture: bytes, number: int) -> None:
    """The same picture for all, but for a few bytes at its end, which make it another file."""
    await visitor.come("heads")
    await visitor.wants_to_bring()
    page = await visitor.bring(picture + number.to_bytes(4, "big"))
    assert page.complaints == [], page.complaints


async def _quiet(server: Server) -> int:
    """Bytes of the memory of a server and its engine when its sessions' time is over and it has tidied up."""
    await asyncio.sleep(FORGETS + TIDIES)
    now, before = resident_in_all(server.pid), 0
    while now != before:
        await asyncio.sleep(TIDIES)
        now, before = resident_in_all(server.pid), now
    return now


if __name__ == "__main__":
    measure(Report(), 200)
