"""`vitviz explore cat.jpg --model demo --out cat.html`: the attention explorer as one file that works offline."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from vitviz.numbers import bytes_
from vitviz.takeaway.calculations import CALCULATIONS
from vitviz.takeaway.commands.page_requests import add_words, page_requests, range_of, run, saying
from vitviz.takeaway.explorer.explorer import explore
from vitviz.takeaway.explorer.page import EXPLORED
from vitviz.takeaway.making import only


def is_link(text: str) -> bool:
    """Whether somebody gave a page or an address of one, where a picture may stand, too."""
    return text in CALCULATIONS or "?" in text or "://" in text


def _progress(done: int, total: int) -> None:
    end = "\n" if done == total else ""
    print(f"\rthe model's means over scenes: {done} of {total}", end=end, file=sys.stderr, flush=True)


@saying
def main(arguments: Sequence[str]) -> None:
    """Write the file, and say how large it is."""
    parser = argparse.ArgumentParser(
        prog="vitviz explore", description="Where every token looks in every head and layer, in one HTML file."
    )
    parser.add_argument("what", metavar="picture", help="an image file, the name of a sample, or a link of the app")
    parser.add_argument("--out", required=True, help="the file to write")
    parser.add_argument("--layers", default="", help="which the file holds, such as 1-6; else all")
    parser.add_argument("--weights", action="store_true", help="with the model, which runs in the browser: key W")
    add_words(parser)
    options = parser.parse_args(arguments)
    if is_link(options.what):
        options.views = [options.what]
    else:
        options.views, options.picture = [EXPLORED.stem], options.what
    it = only(run(options, page_requests(options, CALCULATIONS)))
    view = it.view
    explorer = explore(
        it.trace,
        it.loaded,
        model=Path(view.model).name,
        picture=it.title if view.picture else Path(options.picture).name,
        layers=range_of(options.layers),
        layer=view.layer,
        head=view.head,
        query=view.query,
        weights=options.weights,
        progress=_progress,
    )
    path = explorer.save(options.out)
    print(f"{path}: {bytes_(path.stat().st_size)}")
