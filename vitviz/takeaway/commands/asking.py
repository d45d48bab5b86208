"""What the commands share: the words of a view as options, and one sentence where something cannot be."""

import argparse
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import wraps
from pathlib import Path

from vitviz.addresses.place import SECOND
from vitviz.edits import EditsError
from vitviz.images import ImageError
from vitviz.machine.device import DeviceError
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.kinds import KINDS, kind_of
from vitviz.takeaway.opening import Opened, model, opened, read_picture
from vitviz.takeaway.view import View, from_link, from_words, words_of

WORDS = ("layer", "head", "query", "key", "component", "after", "through", "shows", "crop")
OWN = ("model", "edits")  # of each column
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
    for word in (*WORDS, *OWN):
        file = ": demo, a sibling, a preset, or a checkpoint's file" if word == "model" else ""
        parser.add_argument(f"--{word}", default="", help=f"as in the app's address{file}")
    parser.add_argument("--donor", default="", help="the second picture of edits: an image file, or a sample's name")
    parser.add_argument("--second", action="store_true", help="of a link, the second column")


def is_link(given: str) -> bool:
    """Whether somebody gave an address of the app, where a page or a picture may stand, too."""
    return "?" in given or "://" in given


def asked(options: argparse.Namespace, link: str, page: str, pages: Collection[str], picture: str) -> Opened:
    """The view that options ask for, or a link with their words in place of its own, run on its picture.

    `page` stands for that of the link where it is not empty; `picture` is a sample's name or a file, "" for the link's.
    """
    led, words = words_of(link) if link else ("", {})
    begins = SECOND if options.second else ""
    said = {word: getattr(options, word) for word in WORDS} | {
        f"{begins}{word}": getattr(options, word) for word in OWN
    }
    loaded = model(options.model) if Path(options.model).is_file() else None
    data, donor = (read_picture(given) if given else None for given in (picture, options.donor))
    said[f"{begins}donor"] = "own" if donor else options.donor
    if picture and options.second:
        said[f"{begins}image"] = "own" if data else picture
    elif picture:
        words |= {"picture": "own" if data else "", "sample": picture}
    words |= {word: text for word, text in said.items() if text}
    column = "second" if options.second else "first"
    view = from_words(page or led, words, pages, loaded.config if loaded else None, column=column)
    return opened(view, data, loaded, donor)


def add_link(parser: argparse.ArgumentParser, several: str = "") -> None:
    """A link of the app, and the files that no link holds; `several` is what some links make, where they may be."""
    more = f"; several {several}" if several else ""
    says = f"address of a page, such as http://localhost:8501/heads?layer=3&query=40{more}"
    parser.add_argument("link", nargs="+" if several else 1, help=says)
    second = "with the second column of each link that has two" if several else "the second column of the link"
    parser.add_argument("--second", action="store_true", help=second)
    parser.add_argument("--picture", default="", help="your own picture, where the link is of one")
    parser.add_argument("--donor", default="", help="your own second picture, where edits take it")
    parser.add_argument("--checkpoint", default="", help="the model's file, where the link is of one")
    parser.set_defaults(chapter=bool(several))


def linked(options: argparse.Namespace) -> list[Opened | View]:
    """The views that links lead to, run on their pictures; those of a model's sizes alone as they are."""
    picture, donor = (_read(given) for given in (options.picture, options.donor))
    file = Path(options.checkpoint).name
    loaded = model(options.checkpoint) if options.checkpoint else None
    sizes = loaded.config if loaded else None
    views = [from_link(link, KINDS, file, sizes, column=column) for link, column in _columns(options)]
    own = [view for view in views if not view.picture] or views
    return [
        opened(view, picture if view in own else None, loaded if view.model == file else None, donor)
        if kind_of(view).pictured
        else view
        for view in views
    ]


def _columns(options: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """Each link with a column of it that is asked for; a chapter holds both."""
    for link in options.link:
        two = options.second and f"{SECOND}model" in words_of(link)[1]
        if options.chapter or not options.second:
            yield link, "first"
        if two or (options.second and not options.chapter):
            yield link, "second"


def _read(given: str) -> bytes | None:
    if not given:
        return None
    if not Path(given).is_file():
        raise TakeawayError(f"there is no file {Path(given).name}")
    return Path(given).read_bytes()


def range_of(text: str) -> range | None:
    """Layers as people write them, "3" or "1-6", counted from 0; None for no text."""
    if not text:
        return None
    first, _, last = text.partition("-")
    if not (first.isdecimal() and (last or first).isdecimal()):
        raise TakeawayError(f"“{text[:40]}” are no layers; write 3, or 1-6")
    return range(int(first) - 1, int(last or first))
