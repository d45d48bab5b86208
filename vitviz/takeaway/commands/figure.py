"""`vitviz figure heads --layer 5 --out heads.svg`: a view as a figure for print."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from vitviz.takeaway.commands.asking import add_words, asked, is_link, saying
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.figures import PRINTED
from vitviz.takeaway.figures.drawing import sheet
from vitviz.takeaway.figures.png import png
from vitviz.takeaway.figures.svg import svg
from vitviz.takeaway.files import write_whole


@saying
def main(arguments: Sequence[str]) -> None:
    """Write the figure."""
    parser = argparse.ArgumentParser(prog="vitviz figure", description="A view as a figure for print, SVG or PNG.")
    parser.add_argument("page", help=f"{' · '.join(PRINTED)}, or a link of the app")
    parser.add_argument("--out", required=True, help="the file to write, .svg or .png (twice the size)")
    parser.add_argument("--picture", default="", help="an image file, or the name of a sample")
    add_words(parser)
    options = parser.parse_args(arguments)
    ending = Path(options.out).suffix.lower()
    if ending not in (".svg", ".png"):
        raise TakeawayError(f"a figure is written as .svg or .png, not as “{ending[:10]}”")
    link, page = (options.page, "") if is_link(options.page) else ("", options.page)
    it = asked(options, link, page, PRINTED, options.picture)
    title = it.title if it.view.picture else Path(options.picture).name
    drawn = sheet(it, title)
    print(write_whole(options.out, svg(drawn) if ending == ".svg" else png(drawn)))
