"""Lines that flood, and what those who follow notice of them: nothing, as the server closes them."""

import asyncio
import multiprocessing
import os
import secrets
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import cycle, islice
from multiprocessing.synchronize import Event
from statistics import median
from threading import Thread
from urllib.parse import urlsplit

from websockets.frames import Opcode

from benchmarks.lecture.room import gather
from benchmarks.load.onlooker import watched
from benchmarks.report import Report, late
from tests.browser.server import Server
from tests.server.several import NGINX, Several, proxied
from tests.unit.lecture.rooms.told import PATCH, step
from tests.unit.ui.server.gate.floods import written
from tests.unit.ui.server.lecture.hall import CODE, Person

LINES = 8
FOLLOWERS = 10
MOVES, APART = 100, 0.12  # seconds between two moves
TIMEOUT_S = 60.0
LECTURE, STREAM = f"/lecture/socket/{CODE}", "/_stcore/stream"


ENDLESS = written(Opcode.TEXT, fin=False), written(Opcode.CONT, fin=False)
PINGS = b"", written(Opcode.PING, b"x" * 125)
# Each line's address, whether it says who it is first, and its flood: what it begins with, and what it says for ever.
KINDS = (
    (LECTURE, False, ENDLESS),
    (LECTURE, False, PINGS),
    (LECTURE, True, ENDLESS),
    (LECTURE, True, PINGS),
    (STREAM, False, ENDLESS),
    (STREAM, False, PINGS),
)


async def measure(report: Report, server: Server) -> None:
    """A lecture beside lines that flood and come back as soon as they are closed, and again through nginx."""
    await _beside(report, server, server.url, f"{LINES} lines beside them flood, and come back when they are closed")
    if NGINX:
        port = urlsplit(server.url).port or 0
        with proxied(Several(server.url, server.pid, server.log, (port,))) as url:
            await _beside(report, server, url, "The same, all of them through nginx")


async def _beside(report: Report, server: Server, url: str, title: str) -> None:
    report.section(title)
    leader, crowd = await gather(url, FOLLOWERS)
    with watched(url, server.pid) as (health, _, _), _flooding(url):
        delays: list[float] = []
        for number in range(MOVES):
            start = time.perf_counter()
            heard = [asyncio.create_task(_until(person, 1 + number % 30, start)) for person in crowd]
            await leader.say("move", step(PATCH, 1 + number % 30))
            delays += await asyncio.gather(*heard)
            await asyncio.sleep(max(0.0, start + APART - time.perf_counter()))
    words = f"median {median(delays):.0f} ms, slowest {max(delays):.0f} ms"
    report.at_most("a move reaches everybody: 95th percentile", late(delays), 100, words, " ms")
    report.at_most("slowest answer of the health check", max(health), 1, f"{len(health)} asked", " s")
    await leader.say("close", True)
    await asyncio.gather(*(one.dropped() for one in (leader, *crowd)))


async def _until(person: Person, number: int, start: float) -> float:
    while (await person.heard("state"))["step"] != number:
        pass
    return 1000 * (time.perf_counter() - start)


@contextmanager
def _flooding(url: str) -> Iterator[None]:
    """Lines that flood, in a process of their own, for as long as the `with` lasts."""
    context = multiprocessing.get_context("spawn")
    begun, enough = context.Event(), context.Event()
    process = context.Process(target=_flood, args=(url, begun, enough), daemon=True)
    process.start()
    assert begun.wait(TIMEOUT_S)
    try:
        yield
    finally:
        enough.set()
        process.join()


def _flood(url: str, begun: Event, enough: Event) -> None:
    os.nice(5)  # what they cost the machine is not what they cost the server
    threads = [Thread(target=_line, args=(url, *kind, enough)) for kind in islice(cycle(KINDS), LINES)]
    for thread in threads:
        thread.start()
    begun.set()
    for thread in threads:
        thread.join()


def _line(url: str, path: str, says_who: bool, flood: tuple[bytes, bytes], enough: Event) -> None:
    """Flood a line as fast as it goes, and another one when it is closed."""
    there = urlsplit(url)
    key = "AAAAAAAAAAAAAAAAAAAAAA=="
    headers = ("Upgrade: websocket", "Connection: Upgrade", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13")
    asks = "\r\n".join((f"GET {path} HTTP/1.1", f"Host: {there.netloc}", f"Origin: {url}", *headers, "", ""))
    hello = written(Opcode.TEXT, b'{"hello": {"id": "%s"}}' % secrets.token_hex(16).encode()) if says_who else b""
    begins, again = flood
    while not enough.is_set():
        with suppress(OSError), socket.create_connection((there.hostname, there.port), timeout=TIMEOUT_S) as line:
            line.sendall(asks.encode())
            line.recv(4096)
            line.sendall(hello + begins)
            line.settimeout(1.0)
            while not enough.is_set():
                line.sendall(again * 1_000)
