"""What one session can make a server hold, and the words of its refusal."""

import asyncio
import http.client
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit

import pytest

from benchmarks.load.onlooker import resident
from benchmarks.load.visitors import Page, Visitor, visitors
from tests.browser.server import Server, serve
from tests.server.test_class import run

MEGABYTES = 20  # the largest file, as deploy/serve has it
UNUSED = bytes(19_000_000)

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells of another's memory")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    settings: dict[str, Any] = {"server.maxUploadSize": MEGABYTES}
    with serve(**settings) as server:
        yield server


def test_forty_unused_files_of_nineteen_megabytes_leave_no_more_than_four(server: Server) -> None:
    grown, page = run(forty(server))
    assert grown < 300e6  # 760 of files; four stay, and the system has not everything back
    assert page.complaints == []


async def forty(server: Server) -> tuple[int, Page]:
    """Bytes that the server has more after forty uploads that no widget uses, and what the visitor sees then."""
    async with visitors(server.url, 1) as (person,):
        await person.come()
        before = resident(server.pid)
        for place in range(40):
            await person.deliver(f"{place}.jpg", UNUSED)
        return resident(server.pid) - before, await person.run()


def test_a_fifth_large_file_at_once_is_refused_before_it_is_sent(server: Server) -> None:
    (status, words), later = run(five(server))
    assert status == 413
    assert words.endswith(
        " would be on their way in this session, and its limit is 83.9 MB; wait until the others have arrived\n"
    )
    assert later == 204


async def five(server: Server) -> tuple[tuple[int, str], int]:
    """What the fifth is told while four are on their way, and how it fares when they have given up."""
    async with visitors(server.url, 1) as (person,):
        await person.come()
        with ExitStack() as stack:
            for _ in range(4):
                link = stack.enter_context(closing(await announced(person)))
                await asyncio.to_thread(expected, link)
            link = stack.enter_context(closing(await announced(person)))
            answer = await asyncio.to_thread(link.getresponse)
            refused = answer.status, answer.read().decode()
        return refused, await later(person)


async def later(person: Visitor) -> int:
    """How the next upload fares once the server has noticed that the others have given up."""
    async with asyncio.timeout(60):
        while True:
            with suppress(HTTPError):
                await person.deliver("later.jpg", UNUSED)
                return 204
            await asyncio.sleep(0.1)


def expected(link: http.client.HTTPConnection) -> None:
    """Wait until the server has made room for an upload, and asks for it."""
    asks = b""
    while not asks.endswith(b"\r\n\r\n"):
        asks += link.sock.recv(1)
    assert asks.startswith(b"HTTP/1.1 100 ")


async def announced(person: Visitor) -> http.client.HTTPConnection:
    """A request that says how much it is about to send."""
    urls = await person.address("photo.jpg")
    link = http.client.HTTPConnection(urlsplit(person.url).netloc, timeout=60)
    link.putrequest("PUT", urls.upload_url)
    for name, value in {**person.tokens, "Content-Length": str(len(UNUSED))}.items():
        link.putheader(name, value)
    link.putheader("Expect", "100-continue")
    link.putheader("Content-Type", "multipart/form-data; boundary=x")
    link.endheaders()
    return link
