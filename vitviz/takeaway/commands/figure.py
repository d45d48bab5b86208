"""`vitviz figure heads --layer 5 --out heads.svg`: a view as a figure for print."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from vitviz.figures.printed.png import png
from vitviz.figures.printed.svg import svg
from vitviz.takeaway.calculations import CALCULATIONS, print_of
from vitviz.takeaway.commands.page_requests import add_views, page_requests, run, saying
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.figures.drawing import sheet
from vitviz.takeaway.file import write_whole
from vitviz.takeaway.opening import Opened


@saying
def main(arguments: Sequence[str]) -> None:
    """Write the figure."""
    parser = argparse.ArgumentParser(prog="vitviz figure", description="A view as a figure for print, SVG or PNG.")
    add_views(parser)
    parser.add_argument("--out", required=True, help="the file to write, .svg or .png (twice the size)")
    options = parser.parse_args(arguments)
    ending = Path(options.out).suffix.lower()
    if ending not in (".svg", ".png"):
        raise TakeawayError(f"a figure is written as .svg or .png, not as “{ending[:10]}”")
    them = page_requests(options, CALCULATIONS)
    print_of(them[0].view)
    (it,) = run(options, them)
    titled = isinstance(it, Opened) and not it.view.picture
    drawn = sheet(it, Path(options.picture).name if titled else "")
    print(write_whole(options.out, svg(drawn) if ending == ".svg" else png(drawn)))
