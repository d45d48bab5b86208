"""What the commands share: the words of a view as options, and one sentence where something cannot be."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vitviz.addresses.links import OWN as OWN_PICTURE
from vitviz.addresses.links import link_of
from vitviz.addresses.place import SECOND
from vitviz.edits import EditsError
from vitviz.images import ImageError
from vitviz.machine.device import DeviceError
from vitviz.takeaway.calculations import calculation_of
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.opening import Opened, model, opened, read_picture
from vitviz.takeaway.view import from_words, words_of
from vitviz.view import View

if TYPE_CHECKING:
    from vitviz.weights import Loaded

WORDS = ("layer", "head", "query", "key", "component", "after", "through", "shows", "crop")
OWN = ("model", "edits")  # of each column
SECOND_COLUMN = "of a link, the second column"
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


class PageRequest(NamedTuple):
    """A view that somebody asks for, its address, and its model where that stands in a file of theirs."""

    view: View
    link: str
    loaded: Loaded | None


def add_views(parser: argparse.ArgumentParser, several: str = "") -> None:
    """What a command takes: pages or links of the app, and the words that stand in place of theirs.

    `several` is what more than one of them make, where there may be more.
    """
    more = f"; several {several}" if several else ""
    says = f"a page, such as heads, or the address of one, http://localhost:8501/heads?layer=3&query=40{more}"
    parser.add_argument("views", metavar="view", nargs="+" if several else 1, help=says)
    add_words(parser, "with the second column of each link that has two" if several else SECOND_COLUMN)
    parser.set_defaults(chapter=bool(several))


def add_words(parser: argparse.ArgumentParser, second: str = SECOND_COLUMN) -> None:
    """Options for what is chosen, as an address of the app has it; all count from 1."""
    for word in (*WORDS, *OWN):
        file = ": demo, a sibling, a preset, or a checkpoint's file" if word == "model" else ""
        parser.add_argument(f"--{word}", default="", help=f"as in the app's address{file}")
    parser.add_argument("--picture", default="", help="an image file, or a sample's name")
    parser.add_argument("--donor", default="", help="the second picture of edits: an image file, or a sample's name")
    parser.add_argument("--second", action="store_true", help=second)
    parser.set_defaults(chapter=False)


def page_requests(options: argparse.Namespace, pages: Collection[str]) -> list[PageRequest]:
    """The views that options ask for, of `pages`: those of links, with the words of the options in place of theirs.

    A picture's file is that of the links that lead to somebody's own picture; where none does, of all of them.
    """
    links = [(link, *words_of(link)) for link in options.views]
    some = any(words.get("picture") for _, _, words in links)
    loaded = model(options.model) if is_file(options.model) else None
    found = []
    for link, page, words in links:
        begins = SECOND if options.second and not options.chapter else ""  # the words of the column that is asked for
        theirs = words.get(f"{SECOND}model")
        both = not begins and theirs is not None and theirs == words.get("model")  # columns show one model
        all_words = words | _words_of_options(options, begins, own=not some or bool(words.get("picture")))
        all_words |= {f"{SECOND}model": all_words["model"]} if both and loaded else {}
        for column in _columns(options, theirs is not None):
            its = loaded if column == "first" or begins or both else None
            first = loaded.config if loaded and not begins else None
            view = from_words(page, all_words, pages, its.config if its else None, column=column, first=first)
            found.append(PageRequest(view, link_of(link.partition("?")[0], all_words), its))
    return found


def run(options: argparse.Namespace, them: Sequence[PageRequest]) -> list[Opened | View]:
    """The views, each run on its picture; those of a model's sizes alone as they are."""
    picture, donor = (read_picture(path) if path else None for path in (options.picture, options.donor))
    return [
        opened(view, None if view.picture else picture, loaded, donor) if calculation_of(view).pictured else view
        for view, _, loaded in them
    ]


def is_file(text: str) -> bool:
    """Whether it is a file's path and no name."""
    return Path(text).is_file()


def _columns(options: argparse.Namespace, two: bool) -> tuple[str, ...]:
    """Which columns of a link are asked for; a chapter holds both of one that has two."""
    if not options.chapter:
        return ("second",) if options.second else ("first",)
    return ("first", "second") if options.second and two else ("first",)


def _words_of_options(options: argparse.Namespace, begins: str, own: bool) -> dict[str, str]:
    """The words of the options, as an address has them; a file of a picture, where it is one's `own`, as "own"."""
    options_ = {word: getattr(options, word) for word in WORDS} | {f"{begins}edits": options.edits}
    options_[f"{begins}model"] = Path(options.model).name if is_file(options.model) else options.model
    options_[f"{begins}donor"] = OWN_PICTURE if is_file(options.donor) else options.donor
    if own or not is_file(options.picture):
        picture = OWN_PICTURE if is_file(options.picture) else options.picture
        named = f"{begins}image" if begins else "picture" if picture == OWN_PICTURE else "sample"
        options_[named] = picture
    words = {word: text for word, text in options_.items() if text}
    return words | {"picture": ""} if "sample" in words else words


def range_of(text: str) -> range | None:
    """Layers as people write them, "3" or "1-6", counted from 0; None for no text."""
    if not text:
        return None
    first, _, last = text.partition("-")
    if not (first.isdecimal() and (last or first).isdecimal()):
        raise TakeawayError(f"“{text[:40]}” are no layers; write 3, or 1-6")
    return range(int(first) - 1, int(last or first))
