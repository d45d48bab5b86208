"""Many bring photographs at once: patches are there, what blocks make of them follows in turn, as the page says."""

import asyncio
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from io import BytesIO
from itertools import count
from threading import Event

from PIL import ImageOps
from playwright.sync_api import Page, expect

from benchmarks.load.visitors import ANSWER_TIMEOUT_S, Visitor, visitors
from tests.browser.frame import drawn, open_board
from tests.browser.photographs.test_own_photograph import drop
from tests.browser.server import Server
from tests.browser.watch import pictured
from vitviz.images import PHOTOS, open_image

PEOPLE = 16  # each with a model of some half a second to make and run, and no two alike
SEEDS = count(1)  # of models that nobody has asked for
BEFORE_ITS_LIGHT = """(before) => __vitviz_drawn.digest !== before
    && /You are number \\d+ in the queue/.test(document.querySelector("[data-testid=stMain]").innerText)"""


async def _ask(person: Visitor) -> None:
    await person.ask("heads", f"model=vit_small_patch16_224&seed={next(SEEDS)}")


async def _go_on(person: Visitor) -> None:
    while True:
        await person.seen()
        await _ask(person)


async def _larger_work(url: str, waits: Event, enough: Event) -> None:
    async with visitors(url, PEOPLE) as people:
        for person in people:
            await person.come("status")
        for person in people:
            await _ask(person)
        await people[-1].until_told("You are number ")
        going = asyncio.gather(*(_go_on(person) for person in people))
        waits.set()
        await asyncio.to_thread(enough.wait)
        going.cancel()
        with suppress(asyncio.CancelledError):
            await going


@contextmanager
def larger_work(url: str) -> Iterator[None]:
    """People who ask for larger models, each for another one when one has come, from when the last of them waits."""
    waits, enough = Event(), Event()
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(asyncio.run, _larger_work(url, waits, enough))
        try:
            assert waits.wait(ANSWER_TIMEOUT_S)
            yield
        finally:
            enough.set()
        asked.result(ANSWER_TIMEOUT_S)


def of_nobody(place: int) -> bytes:
    """A photograph as in a mirror: of one that a visitor has brought before, nothing is waited for."""
    data = BytesIO()
    ImageOps.mirror(open_image(PHOTOS[place].read())).save(data, "JPEG")
    return data.getvalue()


def test_tokens_of_a_photograph_are_there_while_its_maps_wait_in_the_queue(page: Page, server: Server) -> None:
    open_board(page, "/patch_embedding?model=photo&sample=coffee")
    before, readout = drawn(page)["digest"], page.locator(".readout")
    place = page.get_by_test_id("stMain").get_by_text(re.compile(r"You are number \d+ in the queue, about \d+ s."))
    with larger_work(server.url):
        drop(page, of_nobody(0))
        page.wait_for_function("(before) => __vitviz_drawn.digest !== before", arg=before)
        pictured(page)
        expect(readout).to_contain_text(re.compile(r"component 1: \S+ \+ \S+ = \S+"))
        page.locator('.strip a.box[data-stem="heads"]').click()
        expect(place).to_be_visible()
        assert drawn(page)["photo"].startswith(drawn(page)["digest"]), "the picture stays while its maps are waited for"
    expect(page.locator(".scene .wall")).to_have_attribute("aria-label", re.compile("in 12 layers"))
    expect(place).to_have_count(0)


def test_the_front_page_has_the_picture_before_the_light_on_it(page: Page, server: Server) -> None:
    open_board(page, "/?model=photo&sample=coffee")
    before = drawn(page)["digest"]
    place = page.get_by_test_id("stMain").get_by_text(re.compile(r"You are number \d+ in the queue, about \d+ s."))
    with larger_work(server.url):
        drop(page, of_nobody(3))
        page.wait_for_function(BEFORE_ITS_LIGHT, arg=before)
        pictured(page)
        expect(page.locator(".coming")).to_be_hidden()
    expect(place).to_have_count(0)
