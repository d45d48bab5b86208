"""What somebody asks to take away stands in the address, as long as the browser waits for it.

So an answer that a newer run cut off is given by that one, and a run that nobody asked for anything sends nothing.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.file import File
from vitviz.ui.components import tell
from vitviz.ui.private import runtime
from vitviz.ui.takeaway.media import MEDIA

WORD = "take"
WRITTEN = re.compile(r"([\w.-]{1,80})\.(\w{1,20})\.(bare|with)\.\d{1,15}", re.ASCII)
LAST_REQUEST = "taken away"  # in the session: the word that was answered last, and of what
PENDING = "to be taken away"  # in the session, until the end of a run
CHANGED = "Meanwhile something else was chosen; choose the file again"
BROKEN = "This file could not be made, by a fault of vitviz; choose another one"
NO_PICTURE = "This picture is no longer on the page; close the menu and open it again"


class FileRequest(NamedTuple):
    """A file that is asked for: `word` is the address's own, `key` names the picture; `with_picture` if so ticked."""

    word: str
    key: str
    what: str
    with_picture: bool


def current_request() -> FileRequest | None:
    """What the address of this run asks for."""
    word = st.query_params.get(WORD, "")
    found = WRITTEN.fullmatch(word)
    return FileRequest(word, found[1], found[2], found[3] == "with") if found else None


def give(it: FileRequest, of: str, make: Callable[[], File]) -> None:
    """Have the file made and tell the browser where it lies, or why there is none.

    `of` is what the picture shows, as a text: Streamlit may send an address once more that has been answered, and by
    then the picture may be another one. A browser that still waits, as the answer was lost, is told so.
    """
    word, before = st.session_state.get(LAST_REQUEST, ("", ""))
    if word == it.word and before != of:
        _tell(it, says=f"{CHANGED}.")
        return
    try:
        file = make()
    except Exception as error:
        if not (sentence := sentence_of(error)):
            _tell(it, says=f"{BROKEN}.")  # else it would wait, and its address stay
            raise
        _tell(it, says=f"{sentence}.")
    else:
        _tell(it, url=served(file), name=file.name)
    st.session_state[LAST_REQUEST] = it.word, of  # not before: a run that is cut off has answered nothing


def promise(it: FileRequest, of: str, make: Callable[[], File]) -> None:
    """The same at the end of this run, so that nothing comes between the pictures of the page."""
    st.session_state[PENDING] = it, of, make


def keep_promise() -> None:
    """At the end of a run: give the file of a picture that it has drawn, or tell a browser that waits for another."""
    it, pending = current_request(), st.session_state.pop(PENDING, None)
    if pending and pending[0] == it:
        give(*pending)
    elif it and st.session_state.get(LAST_REQUEST, ("", ""))[0] != it.word:
        _tell(it, says=f"{NO_PICTURE}.")


def sentence_of(error: Exception) -> str:
    """What a person can do about it; nothing for an error of another kind."""
    from vitviz.edits import EditsError
    from vitviz.images import ImageError
    from vitviz.machine.device import DeviceError
    from vitviz.weights import WeightsError

    if not isinstance(error, TakeawayError | DeviceError | EditsError | ImageError | WeightsError):
        return ""
    text = str(error).removesuffix(".")
    return text[:1].upper() + text[1:]


def served(file: File) -> str:
    """The address of a file that this session's browser may fetch, until its next run but one, or others need room."""
    files = runtime.get_instance().media_file_mgr
    url = files.add(file.data, file.media, WORD, file_name=file.name, is_for_static_download=True)
    MEDIA.make_room(url)
    return url


def _tell(it: FileRequest, **fields: str) -> None:
    with st.container(gap=None, key="taken"):
        tell(key="taken", data=[{"file": {"word": it.word, **fields}}])
