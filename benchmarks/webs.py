"""How many reruns a second two web servers with one engine give, beside one of them: `python -m benchmarks webs`.

The visitors run on the same cores as the servers, so they do next to nothing: they look for the end of a run in what
comes, and ask for the next one. One server and both are loaded in turn, so that whoever else uses the machine slows
both; how much it gave to two processes at once, and the ratio that follows from CPU time alone, are printed beside it.
"""

import base64
import os
import secrets
import selectors
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from statistics import median
from struct import Struct

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.report import Report
from benchmarks.serving import cpu_seconds
from tests.server.several import Several, several

PAGE = "heads"
VISITORS = 6  # at each server
ROUNDS, SECONDS = 7, 4.0
SHORT = 64  # bytes: what says that a script has finished is no longer
COUNT = """
import time
until, counted = time.monotonic() + 0.5, 0
while time.monotonic() < until:
    counted += 1
print(counted)
"""
MEDIUM, LONG = Struct("!H"), Struct("!Q")  # lengths of a frame, and what announces them
ANNOUNCE_MEDIUM, ANNOUNCE_LONG = 126, 127
BINARY, PING, PONG = 2, 9, 10  # kinds of frames


def measure(report: Report) -> None:
    """Both ways in turn."""
    report.section(
        f"Reruns of {PAGE} a second, {VISITORS} visitors at each server: medians of {ROUNDS} x {SECONDS:g} s"
    )
    with several(2, **{"runner.postScriptGC": "false"}) as servers:
        visitors = [[Visitor(port) for _ in range(VISITORS)] for port in servers.ports]
        _press([*visitors[0], *visitors[1]], SECONDS)
        one, two, counted = list[float](), list[float](), list[float]()
        used = Counter[str]()  # CPU seconds
        for _ in range(ROUNDS):
            one.append(_press(visitors[0], SECONDS))
            before = _cpu(servers)
            two.append(_press([*visitors[0], *visitors[1]], SECONDS))
            used += _cpu(servers) - before
            counted.append(_counting(2) / _counting(1))
    report.note("one server", median(one), f"{len(os.sched_getaffinity(0))} cores", " a second")
    report.note(
        "two servers", median(two), ", ".join(f"{who} {it:.1f} s of CPU" for who, it in used.items()), " a second"
    )
    report.note("two processes that only count / one", median(counted), "what the machine gave meanwhile")
    # One server has a core for itself; two share both cores with the engine and the visitors.
    idle = 2 * used["servers"] / used.total()
    report.note("two servers / one, by CPU time alone", idle, "what two idle cores would give")
    ratio = median(both / alone for alone, both in zip(one, two, strict=True))
    report.at_least("two servers / one", ratio, 1.6, "median of rounds in turn")


def _counting(processes: int) -> float:
    """How far so many processes count together in half a second."""
    command = [sys.executable, "-c", COUNT]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(processes)]
    return sum(float(process.communicate()[0]) for process in running)


def _cpu(servers: Several) -> Counter[str]:
    """CPU seconds so far, of this process, the engine and the servers."""
    used, ours = Counter[str](), os.times()
    used["visitors"] = ours.user + ours.system  # type: ignore[assignment]
    for name, pid in servers.processes().items():
        used["engine" if name == "engine" else "servers"] += cpu_seconds(pid)  # type: ignore[assignment]
    return used


def _press(visitors: "list[Visitor]", seconds: float) -> float:
    """Reruns a second, where each visitor asks for the next as soon as one has finished."""
    finished, until = 0, time.monotonic() + seconds
    with selectors.DefaultSelector() as selector:
        for visitor in visitors:
            selector.register(visitor.link, selectors.EVENT_READ, visitor)
            visitor.ask()
        waiting = set(visitors)
        while waiting:
            for key, _ in selector.select(60):
                visitor = key.data
                if visitor.heard_the_end():
                    if time.monotonic() < until:
                        finished += 1
                        visitor.ask()
                    else:
                        waiting.discard(visitor)
    return finished / seconds


class Visitor:
    """A session that has seen the page twice, so that whatever can be kept is kept."""

    def __init__(self, port: int) -> None:
        self.link = socket.create_connection(("127.0.0.1", port))
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        self.link.sendall(
            f"GET /_stcore/stream HTTP/1.1\r\nHost: localhost:{port}\r\nOrigin: http://localhost:{port}\r\n"
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: streamlit\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()
        )
        self._heard = bytearray()
        while (end := self._heard.find(b"\r\n\r\n")) < 0:
            self._heard += self.link.recv(1 << 12)
        del self._heard[: end + 4]
        kept: set[str] = set()
        for _ in range(2):
            self._request = _frame(_rerun(kept))
            self.ask()
            while not self.heard_the_end(kept):
                pass
        self._request = _frame(_rerun(kept))

    def ask(self) -> None:
        """Ask for a run of the page."""
        self.link.sendall(self._request)

    def heard_the_end(self, kept: set[str] | None = None) -> bool:
        """Read what has come: whether the script has finished. Hashes of what a browser keeps go to `kept`."""
        self._heard += self.link.recv(1 << 20)
        over = False
        places = list(_frames(self._heard))
        for kind, start, end in places:
            if kind == PING:
                self.link.sendall(_frame(bytes(self._heard[start:end]), PONG))
            if kind != BINARY or (kept is None and end - start > SHORT):
                continue
            message = ForwardMsg.FromString(bytes(self._heard[start:end]))
            over |= message.WhichOneof("type") == "script_finished"
            if kept is not None and message.metadata.cacheable and message.hash:
                kept.add(message.hash)
        if places:
            del self._heard[: places[-1][2]]
        return over


def _rerun(kept: set[str]) -> bytes:
    """The message that asks for a run, as a browser sends it."""
    message = BackMsg()
    message.rerun_script.page_name = PAGE
    message.rerun_script.cached_message_hashes.extend(sorted(kept))
    return message.SerializeToString()


def _frame(data: bytes, kind: int = BINARY) -> bytes:
    """A WebSocket frame of a client, under the mask of zeros."""
    if len(data) < ANNOUNCE_MEDIUM:
        length = bytes([0x80 | len(data)])
    else:
        length = bytes([0x80 | ANNOUNCE_MEDIUM]) + MEDIUM.pack(len(data))
    return bytes([0x80 | kind]) + length + bytes(4) + data


def _frames(heard: bytearray) -> Iterator[tuple[int, int, int]]:
    """The kind of each whole frame of a server, and where its content begins and ends."""
    at = 0
    while len(heard) >= at + 2:
        kind, length, start = heard[at] & 0x0F, heard[at + 1], at + 2
        for announced, size in ((ANNOUNCE_MEDIUM, MEDIUM), (ANNOUNCE_LONG, LONG)):
            if length == announced:
                if len(heard) < start + size.size:
                    return
                (length,) = size.unpack_from(heard, start)
                start += size.size
                break
        at = start + length
        if len(heard) < at:
            return
        yield kind, start, at
