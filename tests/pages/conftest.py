"""AppTest's scripts run as the server's do, and find the same device on every machine."""

from collections.abc import Iterator

import pytest

from tests.pages.app import tell_of_device
from vitviz.ui.server.turns import take_turns

take_turns()


@pytest.fixture(scope="session", autouse=True)
def _device() -> Iterator[None]:
    """One that knows two precisions, so that the control for them is tried wherever there is one."""
    with pytest.MonkeyPatch.context() as patch:
        tell_of_device(patch, "fp32", "bf16")
        yield
