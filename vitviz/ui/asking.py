"""How a visitor's script asks the engine: patiently, aloud, and never for what it no longer wants."""

import secrets
import time
from concurrent.futures import CancelledError, Future, wait
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

if TYPE_CHECKING:
    from vitviz.engine import Engine, Place, Request, Result

T = TypeVar("T")

PATIENCE = 0.3  # seconds of silence before a spinner says what is going on
NEWS = 1.0  # seconds between two looks at the queue
POLL = 0.1  # seconds until a run that was replaced, or whose visitor has left, notices


@st.cache_resource(show_spinner=False)
def engine() -> "Engine":
    """The worker that all visitors share."""
    from vitviz.engine import Engine

    return Engine()


def ask(request: "Request[T]", saying: str) -> "Result[T]":
    """The engine's result for `request`; `saying` tells what is going on while it takes long.

    Where the run is replaced by a newer one, or its visitor leaves, the request leaves the queue and the run ends.
    """
    if result := engine().kept(request):
        return result
    while True:
        future = engine().submit(request, _person())
        try:
            _await(future, request, saying)
            return future.result()
        except CancelledError:
            _end_if_replaced()  # if not, an older run of the same visitor was in the way, for the last time
        finally:
            future.cancel()


def _await(future: "Future[Any]", request: "Request[Any]", saying: str) -> None:
    if _done(future, PATIENCE):
        return
    with st.empty():
        while not future.done():
            words = _words(engine().place(request), saying)
            with st.spinner(words, show_time=True):
                while not _done(future, NEWS) and _words(engine().place(request), saying) == words:
                    pass


def _words(place: "Place", saying: str) -> str:
    if not place.ahead:
        return f"{saying} …"
    return f"You are number {place.ahead + 1} in the queue, about {max(1, round(place.seconds))} s …"


def _done(future: "Future[Any]", seconds: float) -> bool:
    until = time.monotonic() + seconds
    while not future.done() and (left := until - time.monotonic()) > 0:
        wait([future], timeout=min(left, POLL))
        _end_if_replaced()
    return future.done()


def _person() -> str:
    """A name for this visitor's session, known to the engine only."""
    name: str = st.session_state.setdefault("person", secrets.token_hex(8))
    return name


def _end_if_replaced() -> None:
    """Streamlit ends a run that was replaced or left when it touches the session next."""
    st.session_state.get("person")
