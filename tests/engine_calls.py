"""What tests ask an engine for, and how they wait for it; functions with names, because requests take no others."""

import time
from collections.abc import Callable, Iterator
from threading import Event

import numpy as np
import pytest

from vitviz.engine import Door

CALLS: list[object] = []
GO = Event()


@pytest.fixture
def fresh_calls() -> Iterator[None]:
    """Nothing called yet, nothing let go; at the end all that holds is let go."""
    CALLS.clear()
    GO.clear()
    yield
    GO.set()


def note(value: object) -> object:
    CALLS.append(value)
    return value


def hold(value: object) -> object:
    """`note`, as soon as the test says go."""
    assert GO.wait(20)
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
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.001)
