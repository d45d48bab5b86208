"""The front page as the server sees it: its messages, its Python, and the code that it sends."""

import time

from benchmarks.report import Report
from benchmarks.serving import cpu_seconds, visitor
from tests.browser.server import Server
from vitviz.pages import ON_BOARD

RERUNS = 60


def measure(report: Report, server: Server) -> None:
    """A visitor's first run, and many more of the same."""
    report.section(f"The front page over the websocket: its first run, and the mean of {RERUNS} more")
    with visitor(server) as run:
        first = run("overview")
        again = run("overview")
        run("overview")
        before = cpu_seconds(server.pid)
        for _ in range(RERUNS):
            run("overview")
            time.sleep(0.02)  # what the server does after the script belongs to the rerun
        python = (cpu_seconds(server.pid) - before) / RERUNS
    report.at_most("messages of the first run", len(first), 30, f"{sum(it.ByteSize() for it in first):,} B")
    report.at_most("messages of a rerun", len(again), 30, f"{sum(it.ByteSize() for it in again):,} B")
    report.at_most("Python, CPU time of a rerun", 1000 * python, 12, "the whole server's process", " ms")
    code = {stem: _code(server, stem) for stem in ON_BOARD}
    largest = max(code, key=lambda stem: code[stem])
    why = f"{largest}; the front page {code['overview']:,} B, uncompressed"
    report.at_most("code of the board, of the page with most of it", code[largest], 120_000, why, " B")


def _code(server: Server, stem: str) -> int:
    """Bytes of scripts, style and HTML that a first visit to a page brings."""
    with visitor(server) as run:
        elements = [it.delta.new_element for it in run(stem) if it.WhichOneof("type") == "delta"]
    protos = {it.bidi_component.component_name: it.bidi_component for it in elements if it.HasField("bidi_component")}
    parts = [part for it in protos.values() for part in (it.js_content, it.css_content, it.html_content)]
    return sum(len(part.encode()) for part in parts)
