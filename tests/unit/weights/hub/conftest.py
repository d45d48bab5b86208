"""A hub of one's own for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.weights.hub.service import Service, serving
from vitviz.weights.hub import fetching


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """A hub with one model; nobody waits between two attempts."""
    monkeypatch.setattr(fetching, "PAUSE", 0.0)
    with serving(tmp_path, monkeypatch) as service:
        yield service
