"""The files that a run makes, in place of addresses from which a browser would fetch them."""

import pytest

from vitviz.takeaway.file import File
from vitviz.ui.takeaway import file_requests


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[File]:
    """The files that browsers are told of."""
    files: list[File] = []

    def serve(taken: File) -> str:
        files.append(taken)
        return f"/media/{len(files)}"

    monkeypatch.setattr(file_requests, "served", serve)
    return files
