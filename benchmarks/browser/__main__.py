"""What the hand feels, measured in Chromium: `make bench-browser`, or some of it by name.

python -m benchmarks.browser               all parts, some five minutes
python -m benchmarks.browser hand front    these parts
"""

import argparse
import os
from collections.abc import Callable

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # before torch is imported; see benchmarks/timing.py

from playwright.sync_api import Browser

from benchmarks.browser import (
    changes,
    charts,
    columns,
    following,
    forward,
    front,
    hand,
    knowing,
    layers,
    pages,
    visits,
    why,
)
from benchmarks.report import Report, machine
from tests.browser import chromium
from tests.browser.server import Server, serve

PARTS: dict[str, Callable[[Report, Browser, Server], None]] = {
    "hand": hand.measure,
    "layers": layers.measure,
    "knowing": knowing.measure,
    "why": why.measure,
    "charts": charts.measure,
    "following": following.measure,
    "changes": changes.measure,
    "pages": lambda report, browser, _: pages.measure(report, browser),
    "shifts": visits.measure_shifts,
    "forward": forward.measure,
    "columns": columns.measure,
}
ALONE = ("front", "visits")  # parts that need no browser, or many


def main() -> None:
    """Run the parts that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"of {', '.join((*ALONE, *PARTS))}; default: all")
    asked = parser.parse_args().parts or [*ALONE, *PARTS]
    if unknown := set(asked) - {*ALONE, *PARTS}:
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join((*ALONE, *PARTS))}")
    print(machine())
    path = chromium.find()
    if path is None:
        print(chromium.MISSING)
        return
    report = Report()
    with serve() as server:
        if "front" in asked:
            front.measure(report, server)
        if "visits" in asked:
            visits.measure_first(report, path, server)
        with chromium.launched(path) as browser:
            for name, measure in PARTS.items():
                if name in asked:
                    measure(report, browser, server)
    report.close()


if __name__ == "__main__":
    main()
