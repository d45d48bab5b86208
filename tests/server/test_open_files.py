"""A server that may open few files: who left makes room for who comes, and the health check says when it is full.

Each session has three open files and its connection; Streamlit keeps sessions that were cut off for ten minutes here.
"""

import asyncio
import os
import urllib.request
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError

import pytest

from benchmarks.load.visitors import visitors
from tests.browser.server import Server, serve
from tests.server.test_class import run

LIMIT = 160
RELOADS = 120  # with three files each, 360
SETTINGS: dict[str, Any] = {"server.disconnectedSessionTTL": 600}

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="only Linux tells of another's open files")


@pytest.fixture
def server() -> Iterator[Server]:
    with serve(open_files=LIMIT, **SETTINGS) as server:
        yield server
        assert "Too many open files" not in server.said()


def open_files(server: Server) -> int:
    return len(os.listdir(f"/proc/{server.pid}/fd"))


def health(server: Server) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"{server.url}/_stcore/health", timeout=60) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as error:
        return error.code, error.read().decode()


def test_after_many_reloads_a_newcomer_is_served(server: Server) -> None:
    most = run(reloaded(server))
    assert LIMIT / 2 < most < LIMIT
    assert health(server) == (200, "ok")


async def reloaded(server: Server) -> int:
    """The most files that were open while one person reloaded again and again, and a newcomer came at last."""
    most = 0
    for _ in range(RELOADS):
        async with visitors(server.url, 1) as (person,):
            await person.open()
            await person.run()
            most = max(most, open_files(server))
    async with visitors(server.url, 1) as (newcomer,):
        await newcomer.open()
        page = await newcomer.run("heads")
        assert page.complaints == []
        assert page.of("bidi_component")
    return most


def test_the_health_check_says_when_it_is_full_and_when_no_longer(server: Server) -> None:
    code, words = run(full(server))
    assert code == 503
    assert words.endswith(
        f" of {LIMIT} files and connections are open; start the server with a higher limit, `ulimit -n`\n"
    )
    assert health(server) == (200, "ok")


async def full(server: Server) -> tuple[int, str]:
    """What the health check says while as many are there as the server can take."""
    async with visitors(server.url, 36) as crowd:
        for person in crowd:
            assert health(server) == (200, "ok")
            await person.open()
            await person.run()
        answer = health(server)
    async with asyncio.timeout(60):  # until the server has noticed that they are gone
        while open_files(server) >= LIMIT * 3 / 4:
            await asyncio.sleep(0.1)
    return answer
