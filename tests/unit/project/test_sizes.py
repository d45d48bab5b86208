"""Files and folders that are read in one go: what grows past the limits is two things, and is parted into them."""

import subprocess
from pathlib import Path

import pytest

from tests.unit.project.test_borders import ROOT

LINES = 300  # of a file: what one reads without losing the thread
FILES = 12  # in a folder: what one takes in at a glance
WRITTEN = (".py", ".js", ".ts", ".css", ".html")
FOLDERS = ("vitviz", "pages", "tests", "benchmarks", "examples")


def kept() -> list[Path]:
    """The files of our folders that git keeps, or would."""
    asked = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *FOLDERS]
    try:
        done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this is no repository of git, or git is not here")
    return [path for line in done.stdout.splitlines() if (path := ROOT / line).is_file()]


def test_no_file_is_longer_than_one_reads_in_one_go() -> None:
    written = [path for path in kept() if path.suffix in WRITTEN]
    assert len(written) > 300
    lines = {str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in written}
    assert {name: count for name, count in lines.items() if count > LINES} == {}


def test_no_folder_holds_more_files_than_one_takes_in_at_a_glance() -> None:
    folders: dict[str, int] = {}
    for path in kept():
        folder = str(path.parent.relative_to(ROOT))
        folders[folder] = folders.get(folder, 0) + 1
    assert {name: count for name, count in folders.items() if count > FILES} == {}
