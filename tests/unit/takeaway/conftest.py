"""The demo model on its first sample, as a view of the page Heads."""

import pytest

from vitviz.takeaway.opening import Opened, opened
from vitviz.takeaway.view import from_words
from vitviz.trace import Trace
from vitviz.weights import Loaded, load


@pytest.fixture(scope="session")
def demo() -> Loaded:
    return load("demo", device="cpu")


@pytest.fixture(scope="session")
def cat(demo: Loaded) -> Opened:
    return opened(from_words("heads", {"sample": "cat"}, {"heads": None}), loaded=demo)


@pytest.fixture(scope="session")
def trace(cat: Opened) -> Trace:
    return cat.trace
