"""`vitviz data VIEW --out view.npz`: the numbers of a view with the names of their axes."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from vitviz.takeaway.calculations import CALCULATIONS
from vitviz.takeaway.commands.page_requests import add_views, page_requests, run, saying
from vitviz.takeaway.data import about, csv, named, npz
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.file import write_whole
from vitviz.takeaway.opening import Opened

WRITERS = {".npz": npz, ".csv": csv}


@saying
def main(arguments: Sequence[str]) -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(
        prog="vitviz data", description="The numbers of a view with the names of their axes."
    )
    add_views(parser)
    parser.add_argument("--out", required=True, help="the file to write, .npz for Python or .csv for a spreadsheet")
    options = parser.parse_args(arguments)
    ending = Path(options.out).suffix.lower()
    if ending not in WRITERS:
        raise TakeawayError(f"numbers are written as .npz or .csv, not as “{ending[:10]}”")
    them = page_requests(options, CALCULATIONS)
    (it,) = run(options, them)
    arrays = named(it.view, it.trace, it.loaded, it.picture) if isinstance(it, Opened) else named(it)
    print(write_whole(options.out, WRITERS[ending](arrays, about(it, them[0].link))))
