"""`vitviz cite LINK`: what to cite for a view, in words and as BibTeX."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from vitviz.takeaway.cite import cite
from vitviz.takeaway.commands.asking import saying
from vitviz.takeaway.kinds import KINDS
from vitviz.takeaway.opening import model
from vitviz.takeaway.view import from_link


@saying
def main(arguments: Sequence[str]) -> None:
    """Print it; nothing is run."""
    parser = argparse.ArgumentParser(prog="vitviz cite", description="What to cite for a view: papers and weights.")
    parser.add_argument("link", help="address of a page, such as http://localhost:8501/depth?model=shelf_relative_0")
    parser.add_argument("--second", action="store_true", help="the second column of the link")
    parser.add_argument("--checkpoint", default="", help="the model's file, where the link is of one")
    parser.add_argument("--licence", default="", help="that of the weights, where you know it")
    options = parser.parse_args(arguments)
    sizes = model(options.checkpoint).config if options.checkpoint else None
    column = "second" if options.second else "first"
    view = from_link(options.link, KINDS, Path(options.checkpoint).name, sizes, column=column)
    print(cite(view, options.licence), end="")
