"""Numbers by a route: what the scene of a page is made of beside the picture, each asked for by its name.

A browser asks for what a run of its own script has drawn, as long as that session shows it. It says the words of its
address, as the script would read them, and gets the names of all numbers that a scene needs there, or one of them. Who
asks for the same waits for one and the same answer, and what nobody waits for any more leaves the engine's queue.
"""

import asyncio
import json
import secrets
import zlib
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError
from dataclasses import dataclass, field, replace
from functools import cache, partial
from weakref import WeakValueDictionary

import numpy as np
import streamlit as st
from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from vitviz.board.address import Address, read_words
from vitviz.board.numbers import names, numbers_of
from vitviz.engine import BusyError
from vitviz.page import Page
from vitviz.pages import PAGES
from vitviz.pretrained import PRETRAINED
from vitviz.samples import samples
from vitviz.scripts.parcels import pack
from vitviz.selection import Selection
from vitviz.ui import fallback
from vitviz.ui.board.editing import DONOR
from vitviz.ui.server.browser_cookie import COOKIE
from vitviz.ui.server.client import Asking
from vitviz.ui.server.turns import in_turn
from vitviz.ui.sidebar import uploads

FOLDER = "numbers"
AHEAD = ["opening"]  # what is there before a forward pass
DRAWN, KEY = "numbers_drawn", "numbers_key"  # in the session: what its last run has drawn, and what opens that
HEADER = "x-vitviz-key"
AT_ONCE = 100  # answers that are made at once, most of which wait for the engine
MOST_KEPT = 32  # answers that a class has asked for and may ask for again
LARGEST_KEPT = 1_000_000  # bytes of one of them
AGAIN_S = 2  # until a browser asks again where the queue is full
SHARE = 20  # of these for one browser, which so keeps no place from the others
FOR_EVER = "private, max-age=31536000, immutable"  # its address holds a digest of all that the answer follows from
FOR_AN_HOUR = "private, max-age=3600"  # of a model of which the newest is taken, once its file is fetched anew
NOT_KEPT = {"Cache-Control": "no-store"}

_drawn: WeakValueDictionary[tuple[str, str], Selection] = WeakValueDictionary()  # by whose they are, and digest
_answers: OrderedDict[tuple[str, ...], "Made"] = OrderedDict()
_making: dict[tuple[str, ...], "Pending"] = {}
_waits: Counter[str] = Counter()  # by whose they are: for how many answers they wait


def register(*selections: Selection) -> None:
    """Let this session's browser ask for the numbers of these, and of nothing that the session has drawn before."""
    st.session_state[DRAWN] = selections
    for selection in selections:
        for name in filter(None, (key(), uploads.browser())):
            _drawn[name, selection.digest] = selection


def key() -> str:
    """A secret of this session: of two tabs each has one, and so has a browser that sends no cookie, as in a frame."""
    found: str = st.session_state.setdefault(KEY, secrets.token_urlsafe(12))
    return found


@dataclass(frozen=True)
class Made:
    """What is answered, for everybody who asks the same; `small`: the same compressed, where that pays."""

    content: bytes
    status: int = 200
    kind: str = "application/octet-stream"
    small: bytes = b""
    headers: Mapping[str, str] = field(default_factory=lambda: NOT_KEPT)

    def response(self, request: Request) -> Response:
        """The same for one who asks."""
        headers = {**self.headers, "Vary": "Accept-Encoding, Cookie"}
        if self.small and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(self.small, self.status, {**headers, "Content-Encoding": "gzip"}, self.kind)
        return Response(self.content, self.status, headers, self.kind)


class Pending:
    """A response that is being made, and how many wait for it."""

    def __init__(self, make: Callable[[], Made], limiter: CapacityLimiter) -> None:
        self.waiting = 0
        self._make = make
        self._asking = Asking()
        self.made = asyncio.ensure_future(to_thread.run_sync(self._make_in_turn, limiter=limiter))

    def leave(self) -> None:
        """Note that one who waited is gone; what nobody waits for leaves the engine's queue."""
        self.waiting -= 1
        if not self.waiting:
            self._asking.leave()

    def _make_in_turn(self) -> Made:
        try:
            with in_turn(), self._asking:
                return self._make()
        except CancelledError:
            return _sentence(503, "Nobody waits for this any more", {"Retry-After": "0"})
        except BusyError as error:
            return _sentence(503, str(error), {"Retry-After": str(AGAIN_S)})
        except fallback.Failure as error:
            fallback.sentence(error)  # one of another kind is raised again
            return _sentence(422, str(error))


async def give(request: Request) -> Response:
    """The numbers of that name, or without one the names of all; else a sentence.

    204 where the page or the address needs none of that name, 410 where no session of this browser shows that model and
    picture, 422 for what cannot be computed, 503 with a time where too many wait, or this browser for too much.
    """
    browser, words = request.cookies.get(COOKIE, ""), dict(request.query_params)
    key_of_tab = request.headers.get(HEADER, "")
    who, drawn = (
        browser or key_of_tab,
        (_drawn.get((it, request.path_params["digest"])) for it in (key_of_tab, browser)),
    )
    selection = next(filter(None, drawn), None)
    page = _pages().get(words.get("page", ""))
    if selection is None:
        gone = "Nobody who uses this browser looks at that model and picture here any more"
        return _sentence(410, gone).response(request)
    if page is None:
        return Made(b"", 204).response(request)
    name = request.path_params["name"]
    selection = _with_donor(selection, browser, words.get(DONOR, ""))
    title = selection.digest, selection.donor_link, *(it.link for it in selection.others), name
    if made := _answers.get(title):
        _answers.move_to_end(title)
        return made.response(request)
    if _waits[who] >= SHARE:
        many = (
            f"This browser waits for {_waits[who]} answers, and {SHARE} are the most at once; what comes frees a place"
        )
        return _sentence(503, many, {"Retry-After": str(AGAIN_S)}).response(request)
    key = *title, str(request.query_params)
    answer = _making.get(key)
    if answer is None:
        address = read_words(words, selection.config, page.stem)
        make = partial(_numbers, name) if name else _names
        answer = _making[key] = Pending(partial(make, page, selection, address), _limiter())
    answer.waiting += 1
    _waits[who] += 1
    left = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait({answer.made, left}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        left.cancel()
        answer.leave()
        _waits[who] -= 1
        if not _waits[who]:
            del _waits[who]
        if (not answer.waiting or answer.made.done()) and _making.get(key) is answer:
            del _making[key]
    if not answer.made.done():
        return Response(status_code=499)  # nobody reads it
    made = answer.made.result()
    if made.status == 200 and name and len(made.content) <= LARGEST_KEPT and for_all(selection):
        _answers[title] = made
        if len(_answers) > MOST_KEPT:
            _answers.popitem(last=False)
    return made.response(request)


ROUTES = [Route(f"/{{folder:path}}{FOLDER}/{{digest:str}}/{{name:path}}", give)]


def _names(page: Page, selection: Selection, address: Address) -> Made:
    return Made(json.dumps(names(page, selection, address)).encode(), kind="application/json")


def _numbers(name: str, page: Page, selection: Selection, address: Address) -> Made:
    arrays = numbers_of(name, page, selection, address)
    if arrays is None:
        return Made(b"", 204)  # the hand was further than the list of names, or the list than the hand
    content = pack(selection.digest, name, arrays)
    bytes_alone = all(it.dtype == np.uint8 and it.ndim > 1 for it in arrays.values())
    return Made(content, small=_packed(content) if bytes_alone else b"", headers=_kept_by(selection))


def _packed(content: bytes) -> bytes:
    """As gzip, by runs and by how often each byte comes: for attention as small as by all of it, in half the time."""
    packer = zlib.compressobj(1, wbits=31, strategy=zlib.Z_RLE)
    return packer.compress(content) + packer.flush()


def _kept_by(selection: Selection) -> Mapping[str, str]:
    """What somebody brought is kept nowhere when it has been forgotten here."""
    if not for_all(selection):
        return NOT_KEPT
    published = PRETRAINED.get(selection.model.name)
    return {"Cache-Control": FOR_EVER if published is None or published.revision else FOR_AN_HOUR}


def for_all(selection: Selection) -> bool:
    """Whether nobody has brought any of it: of what somebody brings nothing is kept when they leave."""
    pictures = (selection.picture, selection.donor, *selection.others)
    return selection.model.checkpoint is None and all(it is None or it.id != "own" for it in pictures)


def _with_donor(selection: Selection, browser: str, link: str) -> Selection:
    """With the second picture that the address names, where it is a sample or this browser's own."""
    if link == selection.donor_link:
        return selection
    return replace(selection, donor=(samples().get(link) or uploads.brought(browser, link)) if link else None)


def _sentence(status: int, sentence: str, headers: Mapping[str, str] = NOT_KEPT) -> Made:
    return Made(f"{sentence}.".encode(), status, "text/plain; charset=utf-8", headers={**NOT_KEPT, **headers})


@cache
def _pages() -> Mapping[str, Page]:
    """Those with numbers, by their addresses."""
    return {page.address: page for page in PAGES.values() if page.forward}


@cache
def _limiter() -> CapacityLimiter:
    return CapacityLimiter(AT_ONCE)


async def _left(request: Request) -> None:
    """Wait until the one who asks hangs up."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
