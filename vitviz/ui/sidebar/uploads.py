"""Uploaded pictures and lessons: kept per browser, shown to it alone, and forgotten when its session has ended.

Somebody has left when Streamlit has forgotten the session, `server.disconnectedSessionTTL` after its connection ended.

The link names a picture by its digest. A browser gets it back only if it is the one that brought it, which a cookie
tells, and from any server that shares the folder; whoever else opens the link is asked for a picture of their own.
In a lecture its name may be that of a copy which the lecturer shares, as long as the room lasts.
"""

import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from threading import Lock, Thread
from weakref import WeakValueDictionary

import streamlit as st

from vitviz.addresses.links import SHARED_PICTURE
from vitviz.addresses.place import SECOND
from vitviz.results import requests
from vitviz.selection import Picture
from vitviz.ui.links import quoted
from vitviz.ui.server.browser_cookie import COOKIE
from vitviz.ui.server.client import ask, engine
from vitviz.ui.sidebar import own_folder
from vitviz.ui.sidebar.own_pictures import CHECKPOINTS, LESSONS, SHARING, OwnPictures, owner, shared_name

LINK = "picture"  # the parameter
ARRIVED = "picture_arrived"  # in the session: which file that was brought has been seen last, shown or refused
MOST_SHOWN = 8  # of those of a browser, where a page shows several
TITLE, ALT = "the lecturer's picture", "The picture that the lecturer shares."  # of one that is shared
MARGIN = 1.0  # seconds after a session, so that what it held is given back with the rest
LOOK = 1.0  # seconds between two notes of who looks at what


@dataclass
class SessionPictures:
    """A session's pictures and lessons, each with the browser that brought it."""

    pictures: set[tuple[str, str]] = field(default_factory=set)


_watched: Counter[tuple[str, str]] = Counter()  # sessions by browser and file
_digests: set[str] = set()  # digests of which the engine may have results at hand for this server
_watching = Lock()  # guards both
_own: WeakValueDictionary[tuple[str, str], Picture] = WeakValueDictionary()  # as long as a page shows several
_shared: WeakValueDictionary[str, Picture] = WeakValueDictionary()  # one for two hundred sessions


def keep(picture: Picture) -> None:
    """Keep a picture that this session's browser uploaded."""
    if whose := browser():
        _files().put(whose, picture)


def keep_checkpoint(digest: str, name: bytes) -> None:
    """Note that this session's browser brought a checkpoint, and how it called it; its file is kept elsewhere."""
    if whose := _whose(CHECKPOINTS):
        _files().write(whose, digest, name)
        look_at_checkpoint(digest)


def look_at_checkpoint(digest: str) -> bytes:
    """The name of a checkpoint that this browser brought earlier, looked at from now on; or nothing."""
    return _look_at(_whose(CHECKPOINTS), digest)


def keep_lesson(digest: str, data: bytes) -> None:
    """Keep a file of a lesson that this session's browser brought, looked at as long as the session lasts."""
    if whose := _whose(LESSONS):
        _files().write(whose, digest, data)
        look_at_lesson(digest)


def look_at_lesson(digest: str) -> bytes:
    """The file of a lesson that this browser brought earlier, looked at from now on; or nothing."""
    return _look_at(_whose(LESSONS), digest)


def lessons() -> list[str]:
    """The digests of all lessons that this browser brought."""
    return _files().of(whose) if (whose := _whose(LESSONS)) else []


def hold(picture: Picture) -> None:
    """Keep one of several pictures that this session's browser uploaded, looked at as long as the session lasts."""
    _sweeper()
    keep(picture)
    _watch(picture)


def linked() -> Picture | None:
    """The picture that this link names, in a session that is new; None where it is not to be had.

    In any other only the exchange of two columns, or a step back from it, brings one.
    """
    name = st.query_params.get(LINK)
    if name is None:
        return None
    if on_screen := st.session_state.get("picture_shown"):
        brings = f"{SECOND}model" in st.query_params or SHARED_PICTURE.fullmatch(name)
        return own(name) if brings and name != _name(on_screen) else None
    picture = own(name)
    if picture is None:
        st.session_state["picture_gone"] = quoted(name[:8])
    return picture


def left() -> bool:
    """Whether the picture of one's own that was shown is not to be shown any more, but a sample.

    It stands in the second column now, a lecture has gone on to a sample, or nobody shares it any more.
    """
    picture = st.session_state.get("picture_shown")
    if picture is None or picture.id != "own":
        return False
    if SHARED_PICTURE.fullmatch(_name(picture)) and not _files().has(*owner("", _name(picture))):
        return True
    elsewhere = "sample" in st.query_params or st.query_params.get(f"{SECOND}image") == picture.digest
    return LINK not in st.query_params and elsewhere


def own(name: str) -> Picture | None:
    """A picture that this browser brought earlier, or one that is shared, looked at from now on; or None."""
    whose, digest = owner(browser(), name)
    picture = _files().get(whose, digest)
    if picture is None:
        return None
    if digest != name:
        picture = _shared.setdefault(name, replace(picture, title=TITLE, alt=ALT))
        st.session_state.setdefault("shared_pictures", {})[digest] = name
    _watch(picture)
    return picture


def own_pictures() -> list[Picture]:
    """Pictures that this browser brought and that are kept, a few of them, each read once while a page shows it."""
    files, whose = _files(), browser()
    names = [(whose, digest) for digest in files.of(whose)[:MOST_SHOWN]] if whose else []
    found = [(name, _own.get(name) or files.get(*name)) for name in names]
    return [_own.setdefault(name, picture) for name, picture in found if picture]


def brought(browser: str, name: str) -> Picture | None:
    """A picture that a browser brought earlier, or one that is shared, for what is no session's; or None."""
    return _files().get(*owner(browser, name))


def share(digest: str) -> str:
    """The name under which others may see a picture of this browser's, or nothing where there is none.

    They get its pixels alone: nothing that its file says besides them.
    """
    picture = _files().get(browser(), digest)
    if picture is None:
        return ""
    from vitviz.forward import write_photo

    copied = ask(requests.describe_request(write_photo, requests.decode_request(picture)), "Copying the picture")
    copy = Picture("own", TITLE, ALT, copied.value)
    name = shared_name(copy)
    _files().put(owner("", name)[0], copy)
    st.session_state.setdefault("shared_pictures", {})[copy.digest] = name
    _sweeper()
    _watch(copy)
    return name


def why_gone(picture: Picture) -> str:
    """A sentence about the link's picture where it was not to be had, until another one than `picture` is chosen."""
    if (lost := st.session_state.get("picture_gone")) is None:
        return ""
    if st.session_state.setdefault("shown_instead", picture.digest) != picture.digest:
        del st.session_state["picture_gone"]
        return ""
    return f"The picture {lost} of this link is not here, or not yours: upload it in the sidebar (S) to see it."


def look_at(picture: Picture) -> None:
    """Put the digest of an uploaded picture into the link, and of no other; to be called in every run."""
    _sweeper()
    if picture.id == "own":
        _watch(picture)
        if st.query_params.get(LINK) != _name(picture):
            st.query_params[LINK] = _name(picture)
    elif LINK in st.query_params:
        del st.query_params[LINK]


def _watch(picture: Picture) -> None:
    _watch_of(*owner(browser(), _name(picture)))


def _watch_of(whose: str, digest: str) -> None:
    session, upload = _session(), (whose, digest)  # a session that was interrupted has a new one
    with _watching:
        _watched[upload] += upload not in session.pictures
        session.pictures.add(upload)
        _digests.add(digest)


def _leave(session: SessionPictures) -> None:
    """Streamlit says so when a connection ends; the session may come back for as long as the server keeps it."""
    with _watching, suppress(FileNotFoundError):  # the server ends, and its folder is gone
        for upload in session.pictures:
            _files().see(*upload)
            _watched[upload] -= 1


@cache
def _sweeper() -> None:
    Thread(target=_sweep, name="sweeper", daemon=True).start()


def _sweep() -> None:
    while True:
        time.sleep(LOOK)
        with suppress(OSError):  # where the folder is gone or the disk fails, the next look may do
            tidy(st.get_option("server.disconnectedSessionTTL") + MARGIN)


def tidy(seconds: float) -> None:
    """Note what is looked at here, and forget what nobody has looked at for so long, on any server."""
    files = _files()
    with _watching:
        over = [(whose, it) for (whose, it), sessions in _watched.items() if sessions <= 0 or _ended(files, whose, it)]
        for upload in over:
            del _watched[upload]
        for upload in _watched:
            files.see(*upload)
        there, left = files.forget(seconds)
        unused = (there | _digests) - left
        _digests.intersection_update(left)
    for digest in unused:
        engine().forget(digest)


def _ended(files: OwnPictures, whose: str, digest: str) -> bool:
    """Whether the picture was shared, and is no longer."""
    return whose.startswith(SHARING) and not files.has(whose, digest)


def _name(picture: Picture) -> str:
    """What a link calls a picture: its digest, or the name under which it is shared with this session."""
    name: str = st.session_state.get("shared_pictures", {}).get(picture.digest, picture.digest)
    return name


def _files() -> OwnPictures:
    return OwnPictures(own_folder.part("pictures"))


@st.cache_resource(scope="session", on_release=_leave, show_spinner=False)
def _session() -> SessionPictures:
    return SessionPictures()


def _look_at(whose: str, digest: str) -> bytes:
    data = _files().read(whose, digest)
    if data:
        _sweeper()
        _watch_of(whose, digest)
    return data


def _whose(what: str) -> str:
    """Whose such files are: this browser's, as far as it can be told from others."""
    return f"{what}{whose}" if (whose := browser()) else ""


def browser() -> str:
    """The number of the browser that this session is of, "" where it has none."""
    name = st.context.cookies.get(COOKIE, "")
    return name if isinstance(name, str) else ""  # AppTest has something else there
