"""The files that a run makes, in place of addresses from which a browser would fetch them."""

import pytest

from vitviz.takeaway.taken import Taken
from vitviz.ui.takeaway import asking


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[Taken]:
    """The files that browsers are told of."""
    files: list[Taken] = []

    def serve(taken: Taken) -> str:
        files.append(taken)
        return f"/media/{len(files)}"

    monkeypatch.setattr(asking, "served", serve)
    return files
