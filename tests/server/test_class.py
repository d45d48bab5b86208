"""A class at one server, small: `make load` has the same with two hundred."""

import asyncio
import json
import re
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from typing import Any, TypeVar

import pytest

from benchmarks.load import crowd
from benchmarks.load.visitors import Page, visitors
from benchmarks.report import Report
from tests.browser.server import Server, serve
from tests.unit.ui.server.lecture.hall import lead

T = TypeVar("T")

PEOPLE = 6


def run(visit: Coroutine[Any, Any, T]) -> T:
    """The end of an awaitable, in a thread of its own: Playwright may have a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(visit)).result()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serve(**crowd.SETTINGS) as server:
        yield server


@pytest.fixture
def report(capsys: pytest.CaptureFixture[str]) -> Iterator[Report]:
    report = Report()
    yield report
    assert report.missed == []


def test_a_crowd_is_served_without_an_error(report: Report, server: Server) -> None:
    assert len(run(crowd.arrivals(report, server.url, PEOPLE, "", "the front page"))) == PEOPLE


def test_the_same_picture_for_all_is_one_forward(report: Report, server: Server) -> None:
    run(crowd.same_picture(report, server.url, PEOPLE))
    assert report.met == 2


def test_everybodys_own_picture_is_as_if_alone_and_survives_a_lost_connection(report: Report, server: Server) -> None:
    pictures = [crowd.photograph(seed) for seed in range(PEOPLE)]
    run(crowd.own_pictures(report, server.url, pictures, [crowd.by_itself(picture) for picture in pictures]))
    assert report.met == 4


def test_numbers_of_ones_own_picture_are_for_ones_own_browser_alone(server: Server) -> None:
    run(own_numbers(server))


async def own_numbers(server: Server) -> None:
    """One brings a picture; another one, and somebody without a cookie, know the digest of what it leads to."""
    async with visitors(server.url, 2) as (ann, bob):
        await bob.come("heads")
        await ann.come("heads")
        await ann.wants_to_bring()
        page = await ann.bring(crowd.photograph(7))
        assert set(page.told["names"]) == set(page.numbers)
        address = f"/numbers/{page.told['meta']['digest']}/exact-0-0?page=heads"
        asked = [numbers_status(server, address, cookie) for cookie in (ann.cookie, bob.cookie, "")]
        assert asked == [200, 410, 410]


def numbers_status(server: Server, address: str, cookie: str) -> int:
    """What the server says to one who asks for numbers."""
    with closing(HTTPConnection(server.url.partition("://")[2], timeout=60)) as way:
        way.request("GET", address, headers={"Cookie": cookie} if cookie else {})
        return way.getresponse().status


def test_one_in_a_hurry_costs_two_forwards_at_most(report: Report, server: Server) -> None:
    run(crowd.one_in_a_hurry(report, server.url))
    assert report.met == 4


def test_who_leaves_takes_the_request_out_of_the_queue(server: Server) -> None:
    assert run(dropped_by_leaving(server.url)) == 1


async def dropped_by_leaving(url: str) -> int:
    """Requests that nobody waited for any more, after one left while another's large model was under way."""
    async with visitors(url, 3) as (slow, hasty, witness):
        for person in (slow, hasty, witness):
            await person.open()
        before = dropped(await witness.run("status"))
        await slow.ask("heads", "model=vit_large_patch32_224")
        await slow.until_it_waits()
        await hasty.ask("heads", "model=vit_large_patch32_224&seed=5")
        told = await hasty.until_told("You are number")
        assert re.fullmatch(r"You are number 2 in the queue, about \d+ s\.", told)
        hasty.cut_off()
        await slow.seen()
        return dropped(await witness.run("status")) - before


def test_a_large_model_that_nobody_waits_for_any_more_ends_and_nobody_waited_behind_it(server: Server) -> None:
    assert run(ended_by_leaving(server.url)) == 1


async def ended_by_leaving(url: str) -> int:
    """Workers replaced after one left a model of 0.8 billion parameters under way, and another was served meanwhile."""
    sizes = {"image_size": 512, "patch_size": 16, "dim": 2048, "depth": 15, "heads": 16, "mlp_dim": 8192}
    link = "&".join(f"{name}={value}" for name, value in {"model": "build-your-own", **sizes}.items())
    async with visitors(url, 3) as (slow, quick, witness):
        for person in (slow, quick, witness):
            await person.open()
        before = replaced(await witness.run("status"))
        await slow.ask("heads", link)
        await slow.until_it_waits()
        assert (await quick.run("heads", "sample=coffee")).complaints == []
        slow.cut_off()  # the model is still under way, or no worker would have to end
        for _ in range(60):
            if ended := replaced(await witness.run("status")) - before:
                return ended
            await asyncio.sleep(0.5)
        return 0


def test_who_leads_a_room_hears_how_many_pages_are_waited_for(server: Server) -> None:
    run(heard_of_pages(server.url))


async def heard_of_pages(url: str) -> None:
    leader = await lead(url)
    async with visitors(url, 1) as (slow,):
        await slow.open()
        await slow.ask("heads", "model=vit_large_patch32_224&seed=7")
        await slow.until_it_waits()
        while await leader.heard("waiting") != 1:
            pass
        slow.cut_off()
        while await leader.heard("waiting"):
            pass
    await leader.say("close", True)
    assert (await leader.dropped())[0] == 1000


def replaced(page: Page) -> int:
    """What the status page says about workers that were replaced."""
    return int({metric.label: metric.body for metric in page.of("metric")}["Workers replaced"])


def dropped(page: Page) -> int:
    """What the status page says about requests that nobody waited for."""
    charts = (json.loads(it.json)[0] for it in page.of("bidi_component") if it.component_name.endswith("vitviz.chart"))
    panel = next(charts)["figure"]["rows"][0][0]
    outcomes = dict(zip([name for _, name in panel["down"]["ticks"]], panel["marks"][0]["texts"], strict=True))
    return int(outcomes["dropped: nobody waited for it"])
