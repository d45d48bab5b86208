"""`vitviz explore cat.jpg --model demo --out cat.html`: the attention explorer as one file that works offline."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from vitviz.numbers import bytes_
from vitviz.takeaway.commands.asking import add_words, asked, is_link, range_of, saying
from vitviz.takeaway.explorer.explorer import PAGE, explore


@saying
def main(arguments: Sequence[str]) -> None:
    """Write the file, and say how large it is."""
    parser = argparse.ArgumentParser(
        prog="vitviz explore", description="Where every token looks in every head and layer, in one HTML file."
    )
    parser.add_argument("what", metavar="picture", help="an image file, the name of a sample, or a link of the app")
    parser.add_argument("--picture", default="", help="your own picture, where the link is of one")
    parser.add_argument("--out", required=True, help="the file to write")
    parser.add_argument("--layers", default="", help="which the file holds, such as 1-6; else all")
    parser.add_argument("--weights", action="store_true", help="with the model, which runs in the browser: key W")
    add_words(parser)
    options = parser.parse_args(arguments)
    link, picture = (options.what, options.picture) if is_link(options.what) else ("", options.what)
    it = asked(options, link, PAGE, [PAGE], picture)
    view = it.view
    explorer = explore(
        it.trace,
        it.loaded,
        model=Path(view.model).name,
        picture=it.title if view.picture else Path(picture).name,
        layers=range_of(options.layers),
        layer=view.layer,
        head=view.head,
        query=view.query,
        weights=options.weights,
    )
    path = explorer.save(options.out)
    print(f"{path}: {bytes_(path.stat().st_size)}")
