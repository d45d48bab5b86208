"""`vitviz site --out FOLDER`: the pages as static files for any server of files, or as one file for a disk."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from vitviz.numbers import bytes_
from vitviz.site.build import build, build_file
from vitviz.site.models import MODELS


def main(arguments: Sequence[str]) -> int | None:
    """Write the folder, and say how large it is and how to look at it."""
    parser = argparse.ArgumentParser(
        prog="vitviz site",
        description="The pages as a folder of static files: each reader's browser runs the models. "
        "Any server of files shows it, below any path.",
    )
    parser.add_argument("--out", required=True, type=Path, help="the folder to write, or the file")
    parser.add_argument("--one-file", action="store_true", help="one HTML file, which opens from a disk")
    parser.add_argument(
        "--models", nargs="+", default=list(MODELS), metavar="MODEL", help=f"of {', '.join(MODELS)}; default: all"
    )
    options = parser.parse_args(arguments)
    if unknown := [name for name in options.models if name not in MODELS]:
        parser.error(f"no browser runs a model {unknown[0]}; there are {', '.join(MODELS)}")
    make = build_file if options.one_file else build
    try:
        made = make(options.out, options.models, lambda what: print(what, file=sys.stderr))
    except FileExistsError as error:
        print(f"vitviz: {error}", file=sys.stderr)
        return 1
    size = sum(it.stat().st_size for it in (made, *made.rglob("*")) if it.is_file())
    way = "open it in a browser" if options.one_file else f"look at it with `python -m http.server --directory {made}`"
    print(f"{made}: {bytes_(size)}; {way}")
    return None
