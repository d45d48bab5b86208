"""A file is written whole or not at all."""

import os
from pathlib import Path

import pytest

from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.file import write_whole


def test_a_file_is_written_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "cat.html"
    for text in ("one", "two"):
        assert write_whole(path, text) == path
        assert path.read_text(encoding="utf-8") == text
    assert os.listdir(tmp_path) == ["cat.html"]


def test_a_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "other").touch()
    write_whole(tmp_path / "cat.html", "x")
    assert (tmp_path / "cat.html").stat().st_mode == (tmp_path / "other").stat().st_mode


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_full_disk_or_an_interrupt_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    path = tmp_path / "cat.html"
    path.write_text("before", encoding="utf-8")

    def fail(_: int) -> None:
        raise error

    monkeypatch.setattr(os, "fsync", fail)
    raised = TakeawayError if isinstance(error, OSError) else KeyboardInterrupt
    with pytest.raises(raised, match="the disk is full; make room" if raised is TakeawayError else None):
        write_whole(path, "after")
    assert path.read_text(encoding="utf-8") == "before"
    assert os.listdir(tmp_path) == ["cat.html"]


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(TakeawayError, match=r"cat\.html could not be written: there is no such file or folder"):
        write_whole(tmp_path / "nowhere" / "cat.html", "x")
