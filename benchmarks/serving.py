"""What a visitor waits for on the server: a rerun that needs no forward pass."""

import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets import Subprotocol
from websockets.sync.client import connect

from benchmarks.report import Report
from tests.browser.pages import STEMS, path_of
from tests.browser.server import Server, serve

RERUNS = 15
# Without it Linux may hold back this client's acknowledgements for 40 ms while the server waits; Chromium shows no gap.
QUICK_ACK = getattr(socket, "TCP_QUICKACK", None)
BARE = """
import streamlit as st
st.title("Bare")
st.slider("Layer", 1, 12)
"""


def measure(report: Report) -> None:
    """Reruns of every page over the websocket, as a browser makes them, after everything has been computed once.

    Beside the server with the engine apart runs one with the engine in it, and both rerun in turn.
    """
    report.section(f"Reruns without a forward pass: demo, medians of {RERUNS}, from message to the end of the script")
    worse: dict[str, float] = {}
    with serve() as apart, serve(engine="inline") as inside:
        for stem in STEMS:
            (wall, cpu), (before, _) = _reruns([apart, inside], stem)
            words = f"{1000 * cpu:.0f} ms of CPU time; {1000 * median(before):.0f} ms with the engine in the server"
            report.at_most(f"rerun of {stem}", 1000 * median(wall), 40, words, " ms")
            worse[stem] = median(one / other for one, other in zip(wall, before, strict=True))
    worst = max(worse, key=lambda stem: worse[stem])
    report.at_most("the engine apart / in the server, the worst page", worse[worst], 1.1, worst)


def _reruns(servers: list[Server], stem: str) -> list[tuple[list[float], float]]:
    """Wall seconds of each rerun by each of the servers, and CPU seconds of one; they take turns, and so to begin."""
    wall: list[list[float]] = [[] for _ in servers]
    cpu: list[list[float]] = [[] for _ in servers]
    with ExitStack() as links:
        people = [links.enter_context(visitor(server)) for server in servers]
        for turn in range(2 + RERUNS):
            for place in sorted(range(len(servers)), reverse=turn % 2 == 1):
                before, start = cpu_seconds(servers[place].pid), time.perf_counter()
                people[place](stem)
                if turn >= 2:
                    wall[place].append(time.perf_counter() - start)
                    time.sleep(0.02)  # what the server does after the script belongs to the rerun
                    cpu[place].append(cpu_seconds(servers[place].pid) - before)
    return [(wall[place], sum(cpu[place]) / RERUNS) for place in range(len(servers))]


@contextmanager
def visitor(server: Server) -> Iterator[Callable[[str], list[ForwardMsg]]]:
    """A function that asks for a run of a page and returns its messages; like a browser it lists what it has kept."""
    kept: set[str] = set()

    def run(stem: str) -> list[ForwardMsg]:
        sent: list[ForwardMsg] = []
        message = BackMsg()
        message.rerun_script.page_name = path_of(stem).strip("/")
        message.rerun_script.cached_message_hashes.extend(kept)
        link.send(message.SerializeToString())
        while True:
            if QUICK_ACK:
                link.socket.setsockopt(socket.IPPROTO_TCP, QUICK_ACK, 1)
            answer = ForwardMsg()
            answer.ParseFromString(link.recv(timeout=120))
            if answer.WhichOneof("type") == "new_session":
                sent.clear()  # what came before is the last word of the run before
            sent.append(answer)
            if answer.metadata.cacheable and answer.hash:
                kept.add(answer.hash)
            if answer.WhichOneof("type") == "script_finished":
                return sent

    address = server.url.replace("http", "ws") + "/_stcore/stream"
    with connect(address, subprotocols=[Subprotocol("streamlit")], max_size=None) as link:
        yield run


def cpu_seconds(pid: int) -> float:
    """CPU seconds that a process has used so far."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
