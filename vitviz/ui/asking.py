"""How a visitor's script runs and asks: in turn, patiently, aloud, and never for what it no longer wants."""

import secrets
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future, wait
from contextlib import contextmanager
from threading import BoundedSemaphore, local
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

if TYPE_CHECKING:
    from vitviz.engine import Engine, Place, Request, Result

T = TypeVar("T")

PATIENCE = 0.3  # seconds of silence before a spinner says what is going on
NEWS = 1.0  # seconds between two looks at the queue
POLL = 0.1  # seconds until a run that was replaced, or whose visitor has left, notices
AT_ONCE = 3  # scripts; of two hundred at once each would get Python's lock once a second, and so would the server

_turns = BoundedSemaphore(AT_ONCE)
_mine = local()  # whether this thread has a turn


@st.cache_resource(show_spinner=False)
def engine() -> "Engine":
    """The worker that all visitors share."""
    from vitviz.engine import Engine

    return Engine()


@contextmanager
def turn() -> Iterator[None]:
    """Run a visitor's script when its turn has come; others take theirs while it waits for the engine."""
    if getattr(_mine, "turn", False):
        yield
        return
    _take_turn()
    try:
        yield
    finally:
        _end_turn()


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
    had_turn = getattr(_mine, "turn", False)
    if had_turn:
        _end_turn()
    try:
        until = time.monotonic() + seconds
        while not future.done() and (left := until - time.monotonic()) > 0:
            wait([future], timeout=min(left, POLL))
            _end_if_replaced()
    finally:
        if had_turn:
            _take_turn()
    return future.done()


def _take_turn() -> None:
    _turns.acquire()
    _mine.turn = True


def _end_turn() -> None:
    _mine.turn = False
    _turns.release()


def _person() -> str:
    """A name for this visitor's session, known to the engine only."""
    name: str = st.session_state.setdefault("person", secrets.token_hex(8))
    return name


def _end_if_replaced() -> None:
    """Streamlit ends a run that was replaced or left when it touches the session next."""
    st.session_state.get("person")
