"""`vitviz cite VIEW`: what to cite for a view, in words and as BibTeX."""

import argparse
from collections.abc import Sequence

from vitviz.takeaway.calculations import CALCULATIONS
from vitviz.takeaway.cite import cite
from vitviz.takeaway.commands.page_requests import add_views, page_requests, saying


@saying
def main(arguments: Sequence[str]) -> None:
    """Print it; nothing is run."""
    parser = argparse.ArgumentParser(prog="vitviz cite", description="What to cite for a view: papers and weights.")
    add_views(parser)
    parser.add_argument("--licence", default="", help="that of the weights, where you know it")
    options = parser.parse_args(arguments)
    ((view, *_),) = page_requests(options, CALCULATIONS)
    print(cite(view, options.licence), end="")
