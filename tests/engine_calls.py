"""What tests ask an engine for, and how they wait for it; functions with names, because requests take no others.

Where an engine runs in other processes, these see the same list of calls and the same event: `share_calls`.
"""

import os
import time
from collections.abc import Callable, Iterator
from multiprocessing.managers import BaseManager, EventProxy, ListProxy  # type: ignore[attr-defined]
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest

from vitviz.engine import Door, File, Request, Together
from vitviz.forward import Forward, load_model, pictures_at_once, run_forward, run_forwards
from vitviz.images import digest, open_image

SHARED = "VITVIZ_TEST_CALLS"  # says where the process of the tests is, and its key


class Calls(BaseManager):
    """The way to the list and the event of another process."""


def _calls_and_go() -> tuple[Any, Any]:
    if SHARED not in os.environ:
        return [], Event()
    port, _, key = os.environ[SHARED].partition(" ")
    Calls.register("calls", proxytype=ListProxy)
    Calls.register("go", proxytype=EventProxy)
    manager = Calls(("127.0.0.1", int(port)), key.encode())
    manager.connect()
    return manager.calls(), manager.go()  # type: ignore[attr-defined]


CALLS: list[object]
GO: Event
CALLS, GO = _calls_and_go()


def share_calls(key: str) -> None:
    """Let processes that are started from now on see this one's calls."""
    Calls.register("calls", lambda: CALLS, proxytype=ListProxy)
    Calls.register("go", lambda: GO, proxytype=EventProxy)
    server: Any = Calls(("127.0.0.1", 0), key.encode()).get_server()
    Thread(target=server.serve_forever, name="calls", daemon=True).start()
    os.environ[SHARED] = f"{server.address[1]} {key}"


@pytest.fixture
def fresh_calls() -> Iterator[None]:
    """Nothing called yet, nothing let go; at the end all that holds is let go."""
    CALLS.clear()
    GO.clear()
    yield
    GO.set()


DEMO = Request(load_model, ("demo",), (("device", "cpu"), ("precision", "fp32")))


def forward_of(data: bytes, model: Request[Any] = DEMO) -> Request[Forward]:
    """The forward pass of a picture, with all maps, as pages ask for it."""
    picture = Request(open_image, (File(digest(data), data),))
    together = Together(1, run_forwards, pictures_at_once)
    return Request(run_forward, (model, picture, True, None), keeps_alive=(model,), together=together)


def note(value: object) -> object:
    CALLS.append(value)
    return value


def hold(value: object) -> object:
    """`note`, as soon as the test says go."""
    assert GO.wait(60)
    return note(value)


def zeros(many: int) -> np.ndarray:
    return np.zeros(many, np.uint8)


def fail(words: str) -> None:
    raise ValueError(words)


def wait_for(engine: Door, running: str) -> None:
    """Wait until the worker is at a request."""
    until(lambda: running in engine.status().running)


def until(holds: Callable[[], object]) -> None:
    """Wait for a fact, but not for ever."""
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def stand(engine: Door, request: Request[Any], ahead: int) -> None:
    """Wait until `request` has its place; to an engine on a cluster it is on its way for a moment."""
    until(lambda: engine.place(request).ahead == ahead)
