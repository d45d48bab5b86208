"""What a visitor waits for: a rerun that needs no forward, and the first page of a server that has just started."""

import os
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets import Subprotocol
from websockets.sync.client import connect

from benchmarks.report import Report
from tests.browser import chromium
from tests.browser.pages import STEMS, path_of
from tests.browser.server import ROOT, Server, serve
from tests.browser.watch import context_of, settled

RERUNS = 15
VISITS = 5
# Without it Linux may hold back this client's acknowledgements for 40 ms while the server waits; Chromium shows no gap.
QUICK_ACK = getattr(socket, "TCP_QUICKACK", None)
MODEL = ".st-key-device"  # what the sidebar says about the model once it has answered
BARE = """
import streamlit as st
st.title("Bare")
st.slider("Layer", 1, 12)
"""


def measure(report: Report) -> None:
    """Reruns of every page over the websocket, as a browser makes them, after everything has been computed once."""
    report.section(f"Reruns without a forward pass: demo, medians of {RERUNS}, from message to the end of the script")
    with serve() as server:
        for stem in STEMS:
            wall, cpu = _rerun(server, stem)
            report.at_most(f"rerun of {stem}", 1000 * wall, 60, f"{1000 * cpu:.0f} ms of CPU time", " ms")


def measure_visitor(report: Report) -> None:
    """The first page of a started server in Chromium, against a page of three lines."""
    path = chromium.find()
    if path is None:
        report.section(f"First visitor: skipped, {chromium.MISSING}")
        return
    report.section(f"First visitor: medians of {VISITS} started servers each, in turn, in Chromium")
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder) / "bare.py"
        bare.write_text(BARE)
        visits = [(_first_visit(path, ROOT / "app.py", MODEL), _first_visit(path, bare, "h1")) for _ in range(VISITS)]
    title, model, drawn = (median(ours[at] - theirs[at] for ours, theirs in visits) for at in range(3))
    bare_title = f"bare page: {median(theirs[0] for _, theirs in visits):.2f} s after its address was entered"
    report.at_most("title visible, later than the bare page's", title, 0.5, bare_title, " s")
    report.at_most(
        "model ready, later than the bare page's title", model, 0.5, "its forward pass's time is shown", " s"
    )
    report.note("all drawn, later than the bare page", drawn, "scripts for figures included", " s")


def _rerun(server: Server, stem: str) -> tuple[float, float]:
    """Wall and server CPU seconds of one rerun."""
    with _visitor(server) as run:
        for _ in range(2):
            run(stem)
        wall, cpu = [], []
        for _ in range(RERUNS):
            before, start = _cpu_seconds(server.pid), time.perf_counter()
            run(stem)
            wall.append(time.perf_counter() - start)
            time.sleep(0.02)  # what the server does after the script belongs to the rerun
            cpu.append(_cpu_seconds(server.pid) - before)
    return median(wall), sum(cpu) / len(cpu)


@contextmanager
def _visitor(server: Server) -> Iterator[Callable[[str], None]]:
    """A function that asks for a run of a page and waits for its end; like a browser it lists what it has kept."""
    kept: set[str] = set()

    def run(stem: str) -> None:
        message = BackMsg()
        message.rerun_script.page_name = path_of(stem).strip("/")
        message.rerun_script.cached_message_hashes.extend(kept)
        link.send(message.SerializeToString())
        while True:
            if QUICK_ACK:
                link.socket.setsockopt(socket.IPPROTO_TCP, QUICK_ACK, 1)
            answer = ForwardMsg()
            answer.ParseFromString(link.recv(timeout=120))
            if answer.metadata.cacheable and answer.hash:
                kept.add(answer.hash)
            if answer.WhichOneof("type") == "script_finished":
                return

    address = server.url.replace("http", "ws") + "/_stcore/stream"
    with connect(address, subprotocols=[Subprotocol("streamlit")], max_size=None) as link:
        yield run


def _first_visit(path: str, script: Path, model: str) -> tuple[float, float, float]:
    """Seconds from opening the page of a fresh server to its title, to the element `model`, and to standing still."""
    with (
        serve(script) as server,
        chromium.launched(path) as browser,
        context_of(browser, server.url) as context,
    ):
        page = context.new_page()
        start = time.perf_counter()
        page.goto("/", wait_until="commit")
        page.locator("h1").wait_for()
        title = time.perf_counter() - start
        page.locator(model).wait_for()
        ready = time.perf_counter() - start
        settled(page)
        return title, ready, time.perf_counter() - start


def _cpu_seconds(pid: int) -> float:
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
