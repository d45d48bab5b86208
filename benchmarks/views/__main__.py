"""Two hundred views before a change and after it: nothing may be lost between them.

    python -m benchmarks.views dump FOLDER                       what the views of this version say, hold and look like
    python -m benchmarks.views dump FOLDER --of OLDER            of the version whose files lie in the folder OLDER
    python -m benchmarks.views dump FOLDER --without-pictures    what needs no browser: files, and the drawers' words
    python -m benchmarks.views dump FOLDER --part 2/4            a quarter of the views; all parts into one folder
    python -m benchmarks.views dump FOLDER --only heads depth    those whose addresses begin so
    python -m benchmarks.views compare BEFORE AFTER              every difference; --may-differ names what may change

A moment may be called by another name in an address after than before. Of pages that measure, neither pictures are
compared nor lines that hold a digit. `compare` ends with status 1 where anything else differs.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.views import files
from benchmarks.views.addresses import VIEWS
from benchmarks.views.compare import KINDS, compare
from benchmarks.views.drawers import say_all
from benchmarks.views.screens import show_all
from tests.browser import chromium
from tests.browser.server import ROOT, serve

LETTERS = re.compile(r"[^\w.=-]+")


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, dest="command")
    dumping = commands.add_parser("dump", help="write what the views say, hold and look like")
    dumping.add_argument("folder", type=Path)
    dumping.add_argument("--of", type=Path, default=ROOT, help="the version whose views they are; default: this one")
    dumping.add_argument("--part", type=part, default=(1, 1), metavar="K/N", help="every Nth view, from the Kth on")
    dumping.add_argument("--only", nargs="+", default=[""], metavar="BEGINS", help="views whose addresses begin so")
    some = dumping.add_mutually_exclusive_group()
    some.add_argument("--without-pictures", action="store_true", help="nothing that needs a browser")
    some.add_argument("--pictures", action="store_true", help="only what needs a browser")
    comparing = commands.add_parser("compare", help="compare two folders of `dump`")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    comparing.add_argument("--may-differ", nargs="+", default=[], choices=KINDS, metavar="KIND", help=", ".join(KINDS))
    comparing.add_argument("--only", nargs="+", default=[""], metavar="BEGINS", help="views whose addresses begin so")
    asked = parser.parse_args()
    if asked.command == "compare":
        sys.exit(compare(asked.before, asked.after, asked.may_differ, [*map(name_of, asked.only)]))
    first, many = asked.part
    views = [view for view in VIEWS if view.startswith(tuple(asked.only))][first - 1 :: many]
    dump(asked.folder, asked.of.resolve(), views, asked.without_pictures, asked.pictures)


def part(text: str) -> tuple[int, int]:
    """Which of how many parts: "2/4". Raises `ValueError` for what is none."""
    first, _, many = text.partition("/")
    if not 1 <= int(first) <= int(many):
        raise ValueError(text)
    return int(first), int(many)


def dump(folder: Path, version: Path, views: Sequence[str], without_pictures: bool, pictures: bool) -> None:
    """Write what these views of a version say, hold and look like, each into a folder of its own."""
    places = [(view, folder / name_of(view)) for view in views]
    start = time.monotonic()
    if not pictures:
        _take_away(places, folder, version)
        print(f"{len(views)} views taken away in {time.monotonic() - start:.0f} s", flush=True)
    with serve(version / "app.py", folder=version) as server:
        if not pictures:
            say_all(server.url, places)
            print(f"and their drawers read after {time.monotonic() - start:.0f} s", flush=True)
        if not without_pictures:
            path = chromium.find()
            if path is None:
                sys.exit(f"{chromium.MISSING}; --without-pictures needs none")
            with chromium.launched(path) as browser:
                show_all(browser, server.url, places)
            print(f"and seen after {time.monotonic() - start:.0f} s", flush=True)


def name_of(view: str) -> str:
    """The name of a view's folder."""
    return LETTERS.sub("~", view)


def _take_away(places: Sequence[tuple[str, Path]], folder: Path, version: Path) -> None:
    lines = "".join(f"{view}\t{place.name}\n" for view, place in places)
    command = [sys.executable, "-P", str(Path(files.__file__).resolve()), str(folder.resolve())]
    environment = {**os.environ, "PYTHONPATH": str(version), "OMP_WAIT_POLICY": "passive"}
    subprocess.run(command, input=lines, text=True, cwd=version, env=environment, check=True, stdout=sys.stderr)


if __name__ == "__main__":
    main()
