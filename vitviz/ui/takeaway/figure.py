"""The menu of a picture that is not the board's."""

import json
import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache

import streamlit as st

from vitviz.scripts.bundle import script_of, sheet_of
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.file import File
from vitviz.ui.components import Code, component, place
from vitviz.ui.navigation import here
from vitviz.ui.takeaway.file_requests import current_request, promise
from vitviz.ui.takeaway.views import cell_of

DREW = "drew menus"  # in the session: the keys of those of this run, and where on the page they are
OTHER = re.compile(r"[^A-Za-z0-9]+")
LETTERS = 40  # of a title, in a key


@cache
def _code() -> Code:
    return Code(script_of("doors/takeaway/place.js"), css=sheet_of("doors/takeaway/place.css"))


_place = component("vitviz.place", _code, cache_size=1024)


def take_away(
    key: str,
    title: str,
    files: Mapping[str, Callable[[], File]],
    *,
    others: tuple[str, ...] = (),
    own: bool = False,
) -> None:
    """A quiet button above the picture that is drawn next, with the menu of what can be taken of it.

    `key` (letters, digits, "-", "_", ".") is unique on the page, `title` what the picture is called. `files` makes each
    file by what it is: "png", "svg", "npz", "csv", "notebook", "chapter", "file", "file_weights", "cite". A maker is
    called only when somebody asked for its file, and may raise `TakeawayError`, whose sentence the menu shows. A link
    to the page is in every menu, and where the picture shows somebody's `own`, a tick that lets it leave. What is in
    the menu `others` those is given elsewhere: the files of the whole page.
    """
    _place(key=f"place-{key}", data=_message(key, title, (*files, *others), own, cell_of(here().stem)))
    it = current_request()
    if it and it.key == key and it.what not in others:
        promise(it, repr(sorted(st.query_params.to_dict().items())), lambda: _file(files, it.what))


def begin() -> None:
    """Note that this run's page has drawn no picture yet."""
    st.session_state[DREW] = {}


def key_of(stem: str, title: str) -> str:
    """The key of the picture that is drawn next: by its title, since a spinner above it moves it down the page.

    The second one of that title has a 2 in its key. What a fragment draws again is known by its place.
    """
    drawn: dict[str, list[tuple[int, ...]]] = st.session_state.setdefault(DREW, {})
    key, here = f"{stem}-{OTHER.sub('_', title)[:LETTERS]}", place()
    places = drawn.setdefault(key, [])
    if here not in places:
        places.append(here)
    number = places.index(here) + 1
    return key if number == 1 else f"{key}-{number}"


def of_the_page(stem: str, title: str, whats: tuple[str, ...]) -> None:
    """The menu of a page that has numbers and has drawn no picture since `begin`: its numbers as a whole, its link."""
    if whats and not st.session_state.get(DREW):
        take_away(stem, title, {}, others=whats)


@lru_cache(maxsize=1024)
def _message(key: str, title: str, files: tuple[str, ...], own: bool, cell: str) -> str:
    """What the browser is told of a picture, as JSON."""
    more = ({"own": True} if own else {}) | ({"cell": cell} if cell else {})
    return json.dumps([{"key": key, "title": title, "files": files, **more}])


def _file(files: Mapping[str, Callable[[], File]], what: str) -> File:
    if what not in files:
        raise TakeawayError("this picture does not come in that form; open its menu again")
    return files[what]()
