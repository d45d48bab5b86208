"""A server whose engine's process is killed, or says nothing: nobody loses anything, and the health check knows."""

import asyncio
import os
import re
import signal
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from benchmarks.load import breaking
from benchmarks.load.onlooker import children
from benchmarks.load.visitors import Page, visitors
from benchmarks.report import Report
from tests.browser.server import Server, serve

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists the processes of a server")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serve() as server:
        yield server


@contextmanager
def stopped(process: int) -> Iterator[None]:
    """A process that does nothing for a while, and goes on whatever happens meanwhile."""
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process, signal.SIGCONT)


def health(server: Server) -> tuple[int, str]:
    """What the health check says."""
    try:
        with urllib.request.urlopen(f"{server.url}/_stcore/health", timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as answer:
        with answer:
            return answer.code, answer.read().decode()


def until_health(server: Server, wanted: int) -> str:
    """Wait for a status of the health check, but not for ever; what it says then."""
    deadline = time.monotonic() + 120
    while (said := health(server))[0] != wanted:
        assert time.monotonic() < deadline, said
        time.sleep(0.2)
    return said[1]


async def somebody_is_answered(server: Server) -> None:
    """Wait until the engine has started."""
    async with visitors(server.url, 1) as (person,):
        await person.come()


def test_where_it_is_killed_everybody_is_answered_in_the_same_session(server: Server) -> None:
    report = Report()
    with ThreadPoolExecutor(1) as thread:  # Playwright may have a loop in this one
        thread.submit(asyncio.run, breaking.killed(report, server, times=2)).result()
    assert not {"nobody sees an error", "sessions that were lost"} & {*report.missed}


def test_one_that_says_nothing_fails_the_health_check_until_it_speaks_again(server: Server) -> None:
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, somebody_is_answered(server)).result()
    (process,) = children(server.pid)
    with stopped(process):
        said = re.match(r"the engine has said nothing for (\d+) s; another takes its place", until_health(server, 503))
    assert said
    assert 15 <= int(said[1]) <= 60
    assert until_health(server, 200) == "ok"


def test_while_it_starts_the_page_is_there_says_so_and_goes_on_by_itself(server: Server) -> None:
    with ThreadPoolExecutor(1) as thread:
        page = thread.submit(asyncio.run, come_while_it_starts(server)).result()
    assert page.complaints == []
    assert page.numbers, "those of the board"


async def come_while_it_starts(server: Server) -> Page:
    """What a visitor sees in the end whose page was asked for while the engine's process could not go on."""
    gone = children(server.pid)
    for process in gone:
        os.kill(process, signal.SIGKILL)
    while not (new := [process for process in children(server.pid) if process not in gone]):
        await asyncio.sleep(0.01)
    async with visitors(server.url, 1) as (person,):
        with stopped(new[0]):
            await person.open()
            await person.ask("heads", "sample=coffee")
            assert await person.until_told("The engine is") == "The engine is starting."
        return await person.seen()
