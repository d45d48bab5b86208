"""A hall whose secret is known."""

from collections.abc import Iterator

import pytest

from tests.unit.ui.server.lecture.hall import SECRET, Hall, hall
from vitviz.ui.server.lecture import secret


@pytest.fixture(name="hall")
def open_hall(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    """Empty, for one test."""
    monkeypatch.setenv(secret.SECRET, SECRET)
    secret._secret.cache_clear()
    with hall() as there:
        yield there
    secret._secret.cache_clear()
