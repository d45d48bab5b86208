"""AppTest's scripts run as the server's do, find the same device on every machine, and are not long about the clock."""

from collections.abc import Iterator

import pytest

from tests.pages.app import tell_of_device, time_few_sizes
from vitviz.machine import price
from vitviz.measures import speed
from vitviz.results import asking
from vitviz.ui.server import client
from vitviz.ui.server.turns import take_turns

take_turns()


@pytest.fixture(scope="session", autouse=True)
def _device() -> Iterator[None]:
    """One that knows two precisions, so that the control for them is tried wherever there is one."""
    with pytest.MonkeyPatch.context() as patch:
        tell_of_device(patch, "fp32", "bf16")
        yield


@pytest.fixture(scope="module", autouse=True)
def _app_asks() -> Iterator[None]:
    """As where the app starts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asking, "_asks", client)
        yield


@pytest.fixture(scope="session", autouse=True)
def _brief_clock() -> Iterator[None]:
    """What is timed is timed once, and in few and small sizes: no test reads the seconds."""
    with pytest.MonkeyPatch.context() as patch:
        time_few_sizes(patch)
        patch.setattr(speed, "LEAST", 0.0)
        patch.setattr(speed, "SLOW", 0.0)
        patch.setattr(speed, "FEWER_ROUNDS", 1)
        patch.setattr(speed, "SIDE", 64)
        patch.setattr(speed, "COPIED", 1 << 20)
        yield


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what takes many forward passes, pages make as few unasked as of the largest model: of more they say the same.

    All of them are made by the pages of the demo model.
    """
    monkeypatch.setattr(price, "FREE_SECONDS", 0.01)
