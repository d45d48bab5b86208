"""Requests of a visitor's script to the engine: a spinner while they wait, and cancellation with the run."""

import os
import secrets
import time
from concurrent.futures import CancelledError, Future
from contextvars import ContextVar
from functools import cache
from itertools import count
from threading import Event, Lock
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

from vitviz.ui.links import escaped
from vitviz.ui.server.turns import called, turn_of_others

if TYPE_CHECKING:
    from vitviz.engine import Door, Place, Request, Result

T = TypeVar("T")

ENGINE = "VITVIZ_ENGINE"  # says where PyTorch runs: "process", in one of its own, "inline", in this one, or "ray"
SPINNER_DELAY = 0.3  # seconds of silence before a spinner says what is going on
GLANCE = 0.1  # seconds that the first look at a request waits for what may come at once
LOOK, SHARE = 2.0, 1 / 8  # seconds between two looks at the queue, and of a longer wait this share of what is left

_starting = Lock()
_waits = count()  # numbers of what a page waits for: a run may not use a key twice


def engine() -> "Door":
    """The engine that all visitors share; not in a cache of Streamlit's, which any visitor's program can clear."""
    with _starting:
        return _engine()


def begun() -> bool:
    """Whether there is an engine yet: asking for one begins it, and where it runs inline that imports PyTorch."""
    return _engine.cache_info().currsize > 0


@cache
def _engine() -> "Door":
    where = os.environ.get(ENGINE, "process")
    if where == "inline":
        from vitviz.engine import Engine
        from vitviz.engine.jobs import import_all

        import_all()
        return Engine()
    if where == "process":
        from vitviz.engine.process import ProcessEngine

        return ProcessEngine()
    if where.startswith("process:"):
        from vitviz.engine.process import Attached, ProcessEngine

        path = where.removeprefix("process:")
        return ProcessEngine(connect=lambda settings: Attached(path), kind="in a process that several servers share")
    if where == "ray" or where.startswith("ray://"):
        from vitviz.engine.ray import RayEngine

        return RayEngine("" if where == "ray" else where)
    raise ValueError(f"{ENGINE} is {where}, and an engine runs inline, as a process, or on Ray")


def ask(request: "Request[T]", saying: str) -> "Result[T]":
    """The engine's result for `request`; `saying` tells what is going on while it takes long.

    Where the run is replaced by a newer one, or its visitor leaves, the request leaves the queue and the run ends.
    """
    if result := engine().cached(request):
        return result
    if asking := _asking.get():
        return asking.wait(request)
    while True:
        future = engine().submit(request, _person())
        try:
            _await(future, request, saying)
            return future.result()
        except CancelledError:
            _end_if_replaced()  # if not, an older run of the same visitor was in the way, for the last time
        finally:
            future.cancel()


class Asking:
    """What is asked for no script's run: within it `ask` waits, until all who wanted the answer have left."""

    def __init__(self) -> None:
        self._left = False
        self._future: Future[Any] = Future()

    def __enter__(self) -> None:
        _asking.set(self)

    def __exit__(self, *_: object) -> None:
        _asking.set(None)

    def wait(self, request: "Request[T]") -> "Result[T]":
        """The engine's result. Raises `CancelledError` when all have left."""
        self._future = future = engine().submit(request)
        if self._left:
            future.cancel()
        with turn_of_others():
            return future.result()

    def leave(self) -> None:
        """Want no answer any more."""
        self._left = True
        self._future.cancel()


_asking: ContextVar[Asking | None] = ContextVar("asking", default=None)


class Awaited:
    """A request of a page that waits for nothing and looks again: it leaves the queue when nobody holds this."""

    def __init__(self, key: str, future: "Future[Result[Any]]") -> None:
        self.key, self.future, self.since = key, future, time.monotonic()

    def __del__(self) -> None:
        self.future.cancel()


def look(request: "Request[T]", name: str) -> "Result[T] | str":
    """The engine's result for `request`, or how long it has been waited for, as words; the first look asks for it.

    A page that looks at several gives each a `name`. Raises what the request does.
    """
    key = f"awaited {name}"
    if result := engine().cached(request):
        st.session_state.pop(key, None)
        return result
    awaited: Awaited | None = st.session_state.get(key)
    if awaited is None or awaited.key != request.key or awaited.future.cancelled():
        awaited = Awaited(request.key, engine().submit(request, f"{_person()} {name}"))
        st.session_state[key] = awaited
        with turn_of_others():
            _done(awaited.future, _woken_by(awaited.future), GLANCE)
    if awaited.future.done():
        st.session_state.pop(key)
        return awaited.future.result()
    words = f"{time.monotonic() - awaited.since:.0f} s", _words(engine().trouble(), engine().place(request))
    return ". ".join(filter(None, words))


def leave(name: str) -> None:
    """Want no more what was looked at under that name."""
    st.session_state.pop(f"awaited {name}", None)


def begin_all(*requests: "Request[Any]") -> None:
    """Let the engine begin with all of these at once; who waits for one of them asks for it."""
    for number, request in enumerate(requests):
        if not engine().cached(request):
            engine().submit(request, f"{_person()} {number}" if number else _person())


def _await(future: "Future[Any]", request: "Request[Any]", saying: str) -> None:
    woken = _woken_by(future)
    with turn_of_others():
        if _done(future, woken, SPINNER_DELAY):
            return
        place = st.empty()
        with place.container(key=f"engine-at-work-{next(_waits)}"), st.spinner(f"{escaped(saying)} …", show_time=True):
            news, last = st.empty(), ""
            while not future.done():
                stands = engine().place(request)
                if (words := _words(engine().trouble(), stands)) != last:
                    news.caption(words)
                    last = words
                _done(future, woken, max(LOOK, SHARE * stands.seconds))
        place.empty()


def _words(trouble: str, place: "Place") -> str:
    if trouble:
        return f"{trouble[0].upper()}{trouble[1:]}."
    if place.starting:
        return "The engine is starting."
    if not place.ahead:
        return ""
    return f"You are number {place.ahead + 1} in the queue, about {max(1, round(place.seconds))} s."


def _woken_by(future: "Future[Any]") -> Event:
    """What wakes this script: the end of the request, or who calls for the turn."""
    woken = called()
    future.add_done_callback(lambda _: woken.set())
    return woken


def _done(future: "Future[Any]", woken: Event, seconds: float) -> bool:
    """Whether it is, after so many seconds at most; a run that is over until then ends."""
    until = time.monotonic() + seconds
    while not future.done() and (left := until - time.monotonic()) > 0:
        woken.clear()
        _end_if_replaced()
        if not future.done():
            woken.wait(left)
    _end_if_replaced()
    return future.done()


def _person() -> str:
    """A name for this visitor's session, known to the engine only."""
    name: str = st.session_state.setdefault("person", secrets.token_hex(8))
    return name


def _end_if_replaced() -> None:
    """Streamlit ends a run that was replaced or left when it touches the session next."""
    st.session_state.get("person")
