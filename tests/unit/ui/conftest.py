"""What is asked of models is asked as in the app."""

import pytest

from vitviz.results import asking
from vitviz.ui.server import client


@pytest.fixture(autouse=True)
def _app_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "_asks", client)
