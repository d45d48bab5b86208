"""`vitviz notebook LINK --out view.ipynb`: a view of the app as a notebook that repeats its numbers."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from vitviz.takeaway.commands.asking import saying
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.files import write_whole
from vitviz.takeaway.kinds import KINDS, kind_of
from vitviz.takeaway.notebook.notebook import notebook
from vitviz.takeaway.opening import model, opened
from vitviz.takeaway.view import from_link


@saying
def main(arguments: Sequence[str]) -> None:
    """Write the notebook."""
    parser = argparse.ArgumentParser(
        prog="vitviz notebook", description="A view of the app as a notebook that repeats its numbers."
    )
    says = "addresses of pages, such as http://localhost:8501/heads?layer=3&query=40; several make a chapter"
    parser.add_argument("link", nargs="+", help=says)
    parser.add_argument("--out", required=True, help="the .ipynb file to write")
    parser.add_argument("--picture", default="", help="your own picture, where the link is of one")
    parser.add_argument("--embed", action="store_true", help="write into the notebook what the model sees of it")
    parser.add_argument("--checkpoint", default="", help="the model's file, where the link is of one")
    options = parser.parse_args(arguments)
    file = Path(options.picture)
    if options.picture and not file.is_file():
        raise TakeawayError(f"there is no file {file.name}")
    loaded = model(options.checkpoint) if options.checkpoint else None
    sizes = loaded.config if loaded else None
    views = [from_link(link, KINDS, Path(options.checkpoint).name, sizes) for link in options.link]
    data = file.read_bytes() if options.picture else None
    made = [opened(view, data, loaded) if kind_of(view).pictured else view for view in views]
    print(write_whole(options.out, notebook(*made, file=file.name, embed=options.embed)))
