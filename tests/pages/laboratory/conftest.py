"""A page that finds every model large."""

import pytest

from vitviz.machine import price


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes longer than a thousandth of a second is asked for first."""
    monkeypatch.setattr(price, "FREE_SECONDS", 0.001)
