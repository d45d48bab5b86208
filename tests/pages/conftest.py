"""AppTest's scripts run as the server's do, find the same device on every machine, and are not long about the clock."""

from collections.abc import Iterator

import pytest

from tests.pages.app import tell_of_device, time_few_sizes
from vitviz.measures import speed
from vitviz.ui.server.turns import take_turns

take_turns()


@pytest.fixture(scope="session", autouse=True)
def _device() -> Iterator[None]:
    """One that knows two precisions, so that the control for them is tried wherever there is one."""
    with pytest.MonkeyPatch.context() as patch:
        tell_of_device(patch, "fp32", "bf16")
        yield


@pytest.fixture(scope="session", autouse=True)
def _brief_clock() -> Iterator[None]:
    """What is timed is timed once a round, and in few sizes: no test reads the seconds."""
    with pytest.MonkeyPatch.context() as patch:
        time_few_sizes(patch)
        patch.setattr(speed, "LEAST", 0.0)
        yield
