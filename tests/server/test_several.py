"""Several servers with one engine: one computes for all, each is started again, and nothing outlives the whole."""

import asyncio
import os
import signal
import sys
import urllib.request
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from http.cookies import SimpleCookie
from pathlib import Path

import pytest

from benchmarks.load import crowd
from benchmarks.load.visitors import Page, Visitor, visitors
from tests.engine_calls import until
from tests.server.several import Several, await_answer, needs_nginx, proxied, several
from tests.server.test_class import numbers_status, run
from tests.unit.engine.test_process import alive
from vitviz.images import digest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the deployment is for Linux")


@pytest.fixture(scope="module")
def servers() -> Iterator[Several]:
    with several(2, **crowd.SETTINGS) as servers:
        yield servers


def forwards(page: Page) -> int:
    return crowd._forwards(page.figures)


def test_the_same_picture_at_two_servers_is_one_forward(servers: Several) -> None:
    assert run(same_picture(servers)) == 1


async def same_picture(servers: Several) -> int:
    """Forward passes, by the count of either server, for a picture that three visitors of each open at once."""
    one, other = servers.urls
    async with visitors(one, 4) as (witness, *here), visitors(other, 4) as (stranger, *there):
        await witness.come("heads")
        before = forwards(await witness.run("status"))
        seen = await asyncio.gather(*(visitor.come("heads", "sample=coffee") for visitor in (*here, *there)))
        assert [page.complaints for page in seen] == [[]] * 6
        assert len({crowd._numbers(page) for page in seen}) == 1
        after = forwards(await witness.run("status"))
        assert forwards(await stranger.come("status")) == after
        return after - before


def test_a_server_says_that_it_knows_nothing_of_what_another_one_has_drawn(servers: Several) -> None:
    async def ask_both() -> list[int]:
        async with visitors(servers.urls[0], 1) as (ann,):
            told = (await ann.come("heads", "sample=left")).told
            address = f"/numbers/{told['meta']['digest']}/maps-0?page=heads"
            return [numbers_status(replace(servers, url=url), address, ann.cookie) for url in servers.urls]

    assert run(ask_both()) == [200, 410]


def test_ones_own_picture_is_at_every_server_for_ones_own_browser_alone(servers: Several) -> None:
    run(own_picture(servers))


async def own_picture(servers: Several) -> None:
    """One brings a picture to the first server; the same browser, and another one, open its link at the second."""
    picture = crowd.photograph(1)
    async with visitors(servers.urls[0], 1) as (visitor,), visitors(servers.urls[1], 2) as (same, another):
        await visitor.come("heads")
        await visitor.wants_to_bring()
        brought = await visitor.bring(picture)
        same.cookie = visitor.cookie
        link = f"model=photo&picture={digest(picture)}"
        found, lost = await same.come("heads", link), await another.come("heads", link)
        assert crowd._numbers(found) == crowd._numbers(brought)
        assert crowd._numbers(lost) != crowd._numbers(brought)
        assert "is not here, or not yours" in " ".join(alert.body for alert in lost.of("alert"))


def test_whatever_is_killed_is_started_again_and_the_others_go_on(servers: Several) -> None:
    run(killed(servers))


async def killed(servers: Several) -> None:
    """The engine, then a server, while a visitor of the other one goes on."""
    before = servers.processes()
    async with visitors(servers.urls[1], 1) as (visitor,):
        await visitor.come("heads", "layer=2")
        servers.kill("engine")
        page = await visitor.run("heads", "sample=rocket")
        assert page.complaints == []
        servers.kill(str(servers.ports[0]))
        assert (await visitor.run("heads", "sample=coffee&layer=3")).complaints == []
    until(lambda: len(servers.processes()) == 3)
    await_answer(servers.ports[0])
    after = servers.processes()
    assert {name for name in before if before[name] != after[name]} == {"engine", str(servers.ports[0])}
    async with visitors(servers.urls[0], 1) as (visitor,):
        assert (await visitor.come("heads")).complaints == []


@pytest.mark.parametrize("word", [signal.SIGTERM, signal.SIGKILL], ids=lambda word: word.name)
def test_all_end_together_and_leave_nothing(word: signal.Signals) -> None:
    with several(2) as servers:
        pids = [servers.pid, *servers.processes().values()]
        (folder,) = {Path(it) for it in _environment(pids[2], "VITVIZ_UPLOADS")}
        assert folder.parent.stat().st_mode & 0o777 == 0o700
        assert _environment(pids[2], "STREAMLIT_SERVER_COOKIE_SECRET") == _environment(
            pids[3], "STREAMLIT_SERVER_COOKIE_SECRET"
        )
        os.kill(servers.pid, word)
        until(lambda: not any(map(alive, pids[1:])))
    assert folder.parent.exists() is (word is signal.SIGKILL)


def _environment(pid: int, name: str) -> list[str]:
    words = Path(f"/proc/{pid}/environ").read_text(encoding="utf-8").split("\0")
    return [word.partition("=")[2] for word in words if word.startswith(f"{name}=")]


@needs_nginx
def test_nginx_keeps_a_browser_at_one_server_spreads_newcomers_and_passes_over_one_that_is_down(
    servers: Several,
) -> None:
    with proxied(servers) as url:
        newcomers = Counter(ask(url)["vitviz_server"] for _ in range(40))
        assert set(newcomers) == set(map(str, servers.ports))
        mine, theirs = map(str, servers.ports)
        assert [ask(url, vitviz_server=mine) for _ in range(10)] == [{}] * 10, "the same answered, so none is named"
        run(goes_on(servers, url))
        until(lambda: mine in servers.processes())
        await_answer(servers.ports[0])
        assert [ask(url, vitviz_server=theirs) for _ in range(10)] == [{}] * 10
        assert set(ask(url, vitviz_server="22")) == {"vitviz_server"}, "no other port is to be had"


async def goes_on(servers: Several, url: str) -> None:
    """A visitor of the first server, which is killed, goes on at the second one with a picture of her own."""
    mine, theirs = map(str, servers.ports)
    picture = crowd.photograph(2)
    async with visitors(url, 1) as (visitor,), visitors(url, 1) as (again,):
        browser = visitor.cookie
        visitor.cookie += f"; vitviz_server={mine}"
        await visitor.come("heads")
        await visitor.wants_to_bring()
        brought = await visitor.bring(picture)
        servers.kill(mine)
        tabs = [ask(url, vitviz_server=mine, vitviz_browser=browser.partition("=")[2]) for _ in range(5)]
        assert tabs == [{"vitviz_server": theirs}] * 5
        again.cookie = f"{browser}; vitviz_server={mine}"
        page = await again.come("heads", f"picture={digest(picture)}")
        assert crowd._numbers(page) == crowd._numbers(brought)
        assert _cookies(again) == {"vitviz_server": theirs}


def _cookies(visitor: Visitor) -> dict[str, str]:
    assert visitor.link
    assert visitor.link.response
    return _read(visitor.link.response.headers.get_all("Set-Cookie"))


def ask(url: str, **cookies: str) -> dict[str, str]:
    """The cookies that an answer sets, of those that are ours."""
    sent = "; ".join(f"{name}={value}" for name, value in cookies.items())
    with urllib.request.urlopen(urllib.request.Request(f"{url}/_stcore/health", headers={"Cookie": sent})) as answer:
        assert answer.status == 200
        return _read(answer.headers.get_all("Set-Cookie") or [])


def _read(headers: list[str]) -> dict[str, str]:
    read = SimpleCookie()
    for header in headers:
        read.load(header)
    return {name: it.value for name, it in read.items() if name == "vitviz_server"}
