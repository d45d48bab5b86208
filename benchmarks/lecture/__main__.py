"""A lecture that two hundred follow, on one server: `make lecture-load`.

    python -m benchmarks.lecture                 200 people
    python -m benchmarks.lecture --people 20     fewer

Everybody has a line of the lecture and, for the steps that lead to another page, a session of Streamlit's; all of them
run in this process, on the same machine as the server. What they take for reading is in the times.
"""

import argparse
import asyncio
import os
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # before torch is imported; see benchmarks/timing.py

from benchmarks.lecture import floods, pages, room, strangers
from benchmarks.load.onlooker import watched
from benchmarks.report import Report, machine
from tests.browser.server import serve

# As deploy/serve has it; people of several addresses come as through a proxy on this machine.
SETTINGS: dict[str, Any] = {
    "server.address": "127.0.0.1",
    "runner.postScriptGC": "false",
    "server.disconnectedSessionTTL": 5,
}


def main() -> None:
    """A lesson: what goes over the lines alone, the steps that lead to another page, and strangers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=200)
    people = parser.parse_args().people
    print(machine())
    report = Report()
    with serve(**SETTINGS) as server, watched(server.url, server.pid) as watch:
        asyncio.run(room.measure(report, server, people))
        asyncio.run(pages.measure(report, server, people))
        asyncio.run(floods.measure(report, server))
        asyncio.run(strangers.measure(report, server, people))
    health = watch[0]
    report.section("The server meanwhile")
    report.at_most("slowest answer of its health check", max(health), 1, f"{len(health)} asked", " s")
    report.close()
    raise SystemExit(bool(report.missed))


if __name__ == "__main__":
    main()
