"""A class that drags: what its browsers send meanwhile, and that the server runs nothing for it."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from threading import Event

from playwright.sync_api import Page

from benchmarks.load.visitors import ANSWER_TIMEOUT_S, Visitor, visitors
from tests.browser.frame import rest
from tests.browser.intervene.hand import agrees, drag, intervene
from tests.browser.server import Server

PEOPLE = 50
LINK = "sample=left"


async def forwards(witness: Visitor) -> int:
    """Forward passes, edited ones too, that the engine has run."""
    return int((await witness.run("status")).figures["Forward passes computed"].replace(",", ""))


async def crowd(url: str, sent: list[bytes | str], come: Event, dragged: Event) -> tuple[int, int, int]:
    """Forward passes before fifty people do what one browser did, after it, and after one lets the server run edits."""
    async with visitors(url, PEOPLE) as people, visitors(url, 1) as (witness,):
        await witness.open()
        await asyncio.gather(*(person.come("intervene", LINK) for person in people))
        come.set()
        await asyncio.to_thread(dragged.wait)
        before = await forwards(witness)
        for message in sent:
            await asyncio.gather(*(person.link.send(message) for person in people if person.link))
        await asyncio.gather(*(person.until_quiet() for person in people))
        after = await forwards(witness)
        await people[0].run("intervene", f"{LINK}&runs=server&edits=a1*0.123")
        return before, after, await forwards(witness)


def test_fifty_people_drag_and_the_server_runs_nothing(page: Page, server: Server) -> None:
    every: list[bytes | str] = []
    sent: list[bytes | str] = []  # while the hand drags, and at rest
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: every.append(frame)))
    come, dragged = Event(), Event()
    with ThreadPoolExecutor(1) as pool:
        counted = pool.submit(asyncio.run, crowd(server.url, sent, come, dragged))
        try:
            intervene(page, f"/intervene?{LINK}")
            assert come.wait(ANSWER_TIMEOUT_S)
            rest(page)
            before_dragging = len(every)
            for layer in range(1, 7):
                drag(page, f"MLP of layer {layer}", -30)
            agrees(page, " ".join(f"m{layer}*0.5" for layer in range(1, 7)))
            rest(page)
            sent += every[before_dragging:]
        finally:
            dragged.set()  # the crowd waits for it, whatever happened here
        before, after, served = counted.result(ANSWER_TIMEOUT_S)
    assert after == before
    assert served == before + 1, "what the server runs is counted"
