"""What the commands share: the words of a view as options, and one sentence where something cannot be."""

import argparse
import sys
from collections.abc import Callable, Collection, Sequence
from functools import wraps
from pathlib import Path

from vitviz.edits import EditsError
from vitviz.images import ImageError
from vitviz.machine.device import DeviceError
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.kinds import KINDS, kind_of
from vitviz.takeaway.opening import Opened, model, opened, read_picture
from vitviz.takeaway.view import View, from_link, from_words

WORDS = ("layer", "head", "query", "key", "component", "after", "shows", "edits", "crop")
Command = Callable[[Sequence[str]], None]


def saying(command: Command) -> Command:
    """`command`, whose errors are one sentence on the terminal and exit status 1."""

    @wraps(command)
    def run(arguments: Sequence[str]) -> None:
        from vitviz.weights import WeightsError

        try:
            command(arguments)
        except (TakeawayError, ImageError, WeightsError, EditsError, DeviceError) as error:
            print(f"vitviz: {error}", file=sys.stderr)
            sys.exit(1)

    return run


def add_words(parser: argparse.ArgumentParser) -> None:
    """Options for what is chosen, as an address of the app has it; all count from 1."""
    parser.add_argument("--model", default="demo", help="demo, a sibling, a preset, or a checkpoint's file")
    for word in WORDS:
        parser.add_argument(f"--{word}", default="", help="as in the app's address")


def asked(options: argparse.Namespace, page: str, pages: Collection[str], picture: str) -> Opened:
    """The view that options ask for, run on a picture: a sample's name or a file."""
    words = {word: getattr(options, word) for word in WORDS if getattr(options, word)}
    data = read_picture(picture)
    words |= {"model": options.model} | ({"sample": picture} if data is None else {"picture": "own"})
    loaded = model(options.model) if Path(options.model).is_file() else None
    view = from_words(page, words, pages, loaded.config if loaded else None)
    return opened(view, data, loaded)


def add_link(parser: argparse.ArgumentParser, several: str = "") -> None:
    """A link of the app, and the files that no link holds; `several` is what some links make, where they may be."""
    more = f"; several {several}" if several else ""
    says = f"address of a page, such as http://localhost:8501/heads?layer=3&query=40{more}"
    parser.add_argument("link", nargs="+" if several else 1, help=says)
    parser.add_argument("--picture", default="", help="your own picture, where the link is of one")
    parser.add_argument("--checkpoint", default="", help="the model's file, where the link is of one")


def linked(options: argparse.Namespace) -> list[Opened | View]:
    """The views that links lead to, run on their pictures; those of a model's sizes alone as they are."""
    file = Path(options.picture)
    if options.picture and not file.is_file():
        raise TakeawayError(f"there is no file {file.name}")
    loaded = model(options.checkpoint) if options.checkpoint else None
    sizes = loaded.config if loaded else None
    views = [from_link(link, KINDS, Path(options.checkpoint).name, sizes) for link in options.link]
    data = file.read_bytes() if options.picture else None
    return [opened(view, data, loaded) if kind_of(view).pictured else view for view in views]


def range_of(text: str) -> range | None:
    """Layers as people write them, "3" or "1-6", counted from 0; None for no text."""
    if not text:
        return None
    first, _, last = text.partition("-")
    if not (first.isdecimal() and (last or first).isdecimal()):
        raise TakeawayError(f"“{text[:40]}” are no layers; write 3, or 1-6")
    return range(int(first) - 1, int(last or first))
