"""What numbers follow from beside what is chosen, as one digest."""

from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest

from vitviz import installed


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """A package of a module, a table, names and parameters, with what a browser draws by."""
    folder = tmp_path / "code"
    (folder / "data").mkdir(parents=True)
    for name in ("model.py", "table.json", "data/classes.txt", "data/demo.safetensors", "scene.js"):
        (folder / name).write_text(f"of {name}")
    return folder


def test_equal_files_have_an_equal_digest_wherever_they_lie(code: Path, tmp_path: Path) -> None:
    other = copytree(code, tmp_path / "elsewhere")
    assert installed.digest_of_files(code) == installed.digest_of_files(other)
    for left_out in ("scene.js", "model.pyc"):
        (other / left_out).write_text("another")
    assert installed.digest_of_files(code) == installed.digest_of_files(other)


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "model.py").write_text("of Model.py"),
        lambda folder: (folder / "data/demo.safetensors").write_text("of data/demo.safetensorz"),
        lambda folder: (folder / "table.json").rename(folder / "tables.json"),
        lambda folder: (folder / "new.py").write_text(""),
        lambda folder: (folder / "data/classes.txt").unlink(),
    ],
)
def test_another_file_is_another_digest(code: Path, change: Callable[[Path], None]) -> None:
    before = installed.digest_of_files(code)
    change(code)
    assert installed.digest_of_files(code) != before


@pytest.mark.parametrize("library", installed.COMPUTING)
def test_another_version_of_what_computes_is_another_digest(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    versions = dict.fromkeys(installed.COMPUTING, "1.0")
    monkeypatch.setattr(installed, "version", versions.__getitem__)
    monkeypatch.setattr(installed, "digest_of_files", str)
    before = installed.code_digest.__wrapped__()
    versions[library] = "1.1"
    assert installed.code_digest.__wrapped__() != before
