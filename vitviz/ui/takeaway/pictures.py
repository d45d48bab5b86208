"""The menu of a picture that a page draws: its files are made of the picture itself, when somebody asks for one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING

import streamlit as st

from vitviz import __version__, palette
from vitviz.addresses.place import read_place
from vitviz.pages import PAGES
from vitviz.selection import Selection
from vitviz.takeaway.calculations import CALCULATIONS
from vitviz.takeaway.file import MEDIA, MOST_BYTES, File, file_name
from vitviz.ui.navigation import here
from vitviz.ui.selection import current
from vitviz.ui.takeaway import views
from vitviz.ui.takeaway.figure import key_of, take_away
from vitviz.ui.takeaway.file_requests import current_request

if TYPE_CHECKING:
    from vitviz.figures.figure import Figure, Numbers
    from vitviz.figures.printed.marks import Sheet

DRAWN = ("png", "svg", "npz", "csv")  # of the picture itself
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
JOINER = "\u2060"


def of_figure(
    drawn: Figure | Callable[[], Figure], title: str, caption: str, *, untrained: bool = False, own: bool = False
) -> None:
    """The menu of the figure that is drawn next, or of one that is made when it is asked for.

    `own` where it shows pictures that somebody brought.
    """
    from vitviz.figures.printed.captioned import sheet_of
    from vitviz.takeaway.data import named_numbers

    figure = drawn if callable(drawn) else lambda: drawn
    text = in_print(caption) + " Untrained parameters." * untrained
    _offer(
        title,
        caption,
        own,
        lambda photos: sheet_of(figure(), text, photos=photos),
        lambda photos, whole: named_numbers(figure(), photos=photos, whole=whole),
    )


def of_tables(title: str) -> None:
    """The menu of a page that says its numbers in tables alone: those numbers, and the files of the page."""
    selection, stem = current(), here().stem
    place_in_model, _ = read_place(st.query_params.to_dict(), selection.config)
    files = views.files(views.view_of(stem, selection, place_in_model), selection)
    others = views.of_page(stem, selection.config)
    own = {what: make for what, make in files.items() if what not in others}
    take_away(key_of(stem, title), title, own, others=others)


def in_print(caption: str) -> str:
    """A caption of the page without its markup: roles, links, and what is escaped for Markdown."""
    return ESCAPED.sub(r"\1", LINK.sub(r"\1", palette.without_roles(caption))).replace(JOINER, "").replace("**", "")


def _offer(
    title: str,
    caption: str,
    own: bool,
    sheet: Callable[[bool], Sheet],
    arrays: Callable[[bool, bool], Sequence[Numbers]],
) -> None:
    from vitviz.takeaway.data import size_of

    selection, stem = current(), here().stem
    own = own or views.is_own(selection)
    named = in_print(title)

    def made(what: str) -> File:
        it = current_request()
        photos = not own or bool(it and it.with_picture)
        return File(file_name(stem, named, ending=what), MEDIA[what], _bytes(what, photos))

    def _bytes(what: str, photos: bool) -> bytes:
        from vitviz.figures.printed.png import png
        from vitviz.figures.printed.svg import svg
        from vitviz.takeaway import data

        if what in ("png", "svg"):
            drawn = sheet(photos)
            return png(drawn) if what == "png" else svg(drawn).encode()
        about = _about(stem, selection, own) | {"figure": named, "caption": in_print(caption)}
        return (data.npz if what == "npz" else data.csv)(arrays(photos, True), about)

    large = size_of(arrays(True, False)) > MOST_BYTES  # in a spreadsheet
    whats = tuple(what for what in DRAWN if what != "csv" or not large)
    files: dict[str, Callable[[], File]] = {what: partial(made, what) for what in whats}
    others = views.of_page(stem, selection.config) if stem in CALCULATIONS else ()
    take_away(key_of(stem, named), named, files, others=others, own=own)


def _about(stem: str, selection: Selection, own: bool) -> dict[str, str]:
    """What a file says of its numbers, in the words of `vitviz.takeaway.data.about`, as far as no model is needed."""
    lines = {
        "made with": f"vitviz {__version__}",
        "page": PAGES[stem].title,
        "link": views.link(stem),
        "model": PurePath(selection.model.name).name,
        "config": selection.config.key,
        "edits": str(selection.edits),
        "picture": "somebody's own" if own else selection.picture.title,
    }
    return {name: text for name, text in lines.items() if text}
