"""Uploaded pictures: kept per browser, shown to that browser alone, and forgotten when its session has ended.

Somebody has left when Streamlit has forgotten the session, `server.disconnectedSessionTTL` after its connection ended.

The link names a picture by its digest. A browser gets it back only if it is the one that brought it, which a cookie
tells; whoever else opens the link is asked for a picture of their own.
"""

import time
from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from functools import cache
from queue import SimpleQueue
from threading import Lock, Thread

import streamlit as st

from vitviz.ui.links import quoted
from vitviz.ui.selection import Picture
from vitviz.ui.server.browser_cookie import COOKIE
from vitviz.ui.server.client import engine

LINK = "picture"  # the parameter
MOST_BYTES = 150_000_000  # bytes of pictures that their browsers may come back for
MARGIN = 1.0  # seconds after a session, so that what it held is given back with the rest


class KeptPictures:
    """Pictures by browser and digest, the most recent ones."""

    def __init__(self, budget: int = MOST_BYTES) -> None:
        self._budget = budget
        self._lock = Lock()
        self._pictures: OrderedDict[tuple[str, str], Picture] = OrderedDict()

    def put(self, browser: str, picture: Picture) -> None:
        """Keep `picture` for `browser`; the oldest go where the budget asks for it."""
        with self._lock:
            self._pictures[browser, picture.digest] = picture
            self._pictures.move_to_end((browser, picture.digest))
            while len(self._pictures) > 1 and self.nbytes > self._budget:
                self._pictures.popitem(last=False)

    def get(self, browser: str, digest: str) -> Picture | None:
        """The picture of that digest, if this very browser uploaded it and it is still kept."""
        with self._lock:
            return self._pictures.get((browser, digest))

    def drop(self, digest: str) -> None:
        """Forget the picture of that digest, of every browser."""
        with self._lock:
            for key in [key for key in self._pictures if key[1] == digest]:
                del self._pictures[key]

    @property
    def nbytes(self) -> int:
        """Bytes of all that is kept."""
        return sum(len(picture.data) for picture in self._pictures.values())


@dataclass
class SessionPictures:
    """A session's pictures; what the engine made of them goes when the session does."""

    digests: set[str] = field(default_factory=set)


_kept = KeptPictures()
_left: "SimpleQueue[tuple[float, set[str]]]" = SimpleQueue()  # when to forget which pictures
_watched: Counter[str] = Counter()  # sessions by picture
_watching = Lock()


def keep(picture: Picture) -> None:
    """Keep a picture that this session's browser uploaded."""
    if browser := _browser():
        _kept.put(browser, picture)


def linked() -> Picture | None:
    """The picture that this link names, in a session that is new; None where it is not to be had."""
    digest = st.query_params.get(LINK)
    if digest is None or "picture_shown" in st.session_state:
        return None
    picture = _kept.get(_browser(), digest)
    if picture is None:
        st.session_state["picture_gone"] = quoted(digest[:8])
    return picture


def gone(shown: Picture) -> str:
    """A sentence about the link's picture where it was not to be had, until another one than `shown` is chosen."""
    if (lost := st.session_state.get("picture_gone")) is None:
        return ""
    if st.session_state.setdefault("shown_instead", shown.digest) != shown.digest:
        del st.session_state["picture_gone"]
        return ""
    return f"The picture {lost} of this link is not here, or not yours: upload it in the sidebar (S) to see it."


def look_at(picture: Picture) -> None:
    """Put the digest of an uploaded picture into the link, and of no other; to be called in every run."""
    if picture.id == "own":
        _watch(picture)
        if st.query_params.get(LINK) != picture.digest:
            st.query_params[LINK] = picture.digest
    elif LINK in st.query_params:
        del st.query_params[LINK]


def _watch(picture: Picture) -> None:
    session = _session()  # a session that was interrupted has a new one
    with _watching:
        _watched[picture.digest] += picture.digest not in session.digests
        session.digests.add(picture.digest)


def _leave(session: SessionPictures) -> None:
    """Streamlit says so when a connection ends; the session may come back for as long as the server keeps it."""
    with _watching:
        _watched.subtract(session.digests)
        _sweeper()
    if session.digests:
        _left.put((time.monotonic() + st.get_option("server.disconnectedSessionTTL") + MARGIN, session.digests))


@cache
def _sweeper() -> None:
    Thread(target=_sweep, name="sweeper", daemon=True).start()


def _sweep() -> None:
    while True:
        due, digests = _left.get()  # in order, because all sessions are kept for as long
        time.sleep(max(0.0, due - time.monotonic()))
        _forget(digests)


def _forget(digests: set[str]) -> None:
    with _watching:
        alone = [digest for digest in digests if _watched[digest] <= 0]
        for digest in alone:
            del _watched[digest]
    for digest in alone:
        _kept.drop(digest)
        engine().forget(digest)


@st.cache_resource(scope="session", on_release=_leave, show_spinner=False)
def _session() -> SessionPictures:
    return SessionPictures()


def _browser() -> str:
    return st.context.cookies.get(COOKIE, "")
