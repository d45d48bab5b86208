"""How a visitor's script runs and asks: in turn, patiently, aloud, and never for what it no longer wants."""

import secrets
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future, wait
from contextlib import contextmanager
from functools import cache
from threading import Event, Lock, local
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

if TYPE_CHECKING:
    from vitviz.engine import Engine, Place, Request, Result

T = TypeVar("T")

PATIENCE = 0.3  # seconds of silence before a spinner says what is going on
NEWS = 2.0  # seconds between two looks at the queue
POLL = 0.5  # seconds until a run that was replaced, or whose visitor has left, notices
COURTESY = 0.05  # seconds that a script lets the engine go first

# One script at a time. Python runs one thread at a time anyway, and PyTorch asks for its lock again after every step: a
# forward of 15 ms took 4 s beside three scripts. The server's own answers wait for the same lock.
_turn = Lock()
_mine = local()  # whether this thread has the turn
_birth = Lock()
_idle = Event()  # whether the engine is
_idle.set()


def engine() -> "Engine":
    """The worker that all visitors share; not in a cache of Streamlit's, which any visitor's program can clear."""
    with _birth:
        return _engine()


@cache
def _engine() -> "Engine":
    from vitviz.engine import Engine

    return Engine(idle=_idle)


@contextmanager
def turn() -> Iterator[None]:
    """Run a visitor's script when its turn has come; others take theirs while it waits for the engine."""
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
    with turn_of_others():
        if _done(future, PATIENCE):
            return
        place = st.empty()
        with place.container(), st.spinner(f"{saying} …", show_time=True):
            news, told = st.empty(), ""
            while not future.done():
                if (words := _words(engine().place(request))) != told:
                    news.caption(words)
                    told = words
                _done(future, NEWS)
        place.empty()


def _words(place: "Place") -> str:
    if not place.ahead:
        return ""
    return f"You are number {place.ahead + 1} in the queue, about {max(1, round(place.seconds))} s."


def _done(future: "Future[Any]", seconds: float) -> bool:
    until = time.monotonic() + seconds
    while not future.done() and (left := until - time.monotonic()) > 0:
        wait([future], timeout=min(left, POLL))
        _end_if_replaced()
    return future.done()


@contextmanager
def turn_of_others() -> Iterator[None]:
    """Give the turn away while this script waits for something else than Python."""
    if not getattr(_mine, "turn", False):  # nobody takes turns outside of a server
        yield
        return
    _end_turn()
    try:
        yield
    finally:  # even if the run ends here: the same thread may begin the next one
        _take_turn()


def _take_turn() -> None:
    _turn.acquire()
    _mine.turn = True
    _idle.wait(COURTESY)


def _end_turn() -> None:
    _mine.turn = False
    _turn.release()


def _person() -> str:
    """A name for this visitor's session, known to the engine only."""
    name: str = st.session_state.setdefault("person", secrets.token_hex(8))
    return name


def _end_if_replaced() -> None:
    """Streamlit ends a run that was replaced or left when it touches the session next."""
    st.session_state.get("person")
