"""`vitviz notebook VIEW --out view.ipynb`: a view of the app as a notebook that repeats its numbers."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from vitviz.takeaway.calculations import CALCULATIONS
from vitviz.takeaway.commands.page_requests import add_views, page_requests, run, saying
from vitviz.takeaway.file import write_whole
from vitviz.takeaway.notebook.notebook import notebook


@saying
def main(arguments: Sequence[str]) -> None:
    """Write the notebook."""
    parser = argparse.ArgumentParser(
        prog="vitviz notebook", description="A view of the app as a notebook that repeats its numbers."
    )
    add_views(parser, "a chapter")
    parser.add_argument("--out", required=True, help="the .ipynb file to write")
    parser.add_argument("--embed", action="store_true", help="write into the notebook what the model sees of them")
    options = parser.parse_args(arguments)
    files = {"file": Path(options.picture).name, "donor": Path(options.donor).name}
    print(
        write_whole(
            options.out, notebook(*run(options, page_requests(options, CALCULATIONS)), **files, embed=options.embed)
        )
    )
