"""The notebooks in `examples/` run from the first cell to the last, with what the library brings."""

import os
from pathlib import Path

import nbformat
import pytest

from tests.unit.takeaway.calculations.test_notebook import cells_of, run
from vitviz.takeaway.notebook.notebook import HERE

EXAMPLES = Path(__file__).parents[3] / "examples"
BOOKS = sorted(EXAMPLES.glob("*.ipynb"))


def test_there_are_three_and_all_stand_in_the_readme() -> None:
    assert [path.stem for path in BOOKS] == ["compare_two_checkpoints", "count_a_model", "look_at_your_photo"]
    readme = (EXAMPLES.parent / "README.md").read_text(encoding="utf-8")
    for path in BOOKS:
        badge = f"(docs/{path.stem}.svg)](examples/{path.name})"
        assert badge in readme
        assert (EXAMPLES.parent / "docs" / f"{path.stem}.svg").is_file()


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_an_example_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = path.read_text(encoding="utf-8")
    book = nbformat.reads(text, as_version=4)
    nbformat.validate(book)
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in book.cells)
    monkeypatch.chdir(tmp_path)
    cells = cells_of(text)
    assert cells[0] == HERE
    known = run(cells)
    if path.stem == "look_at_your_photo":
        assert os.listdir(tmp_path) == ["look.html"]
        assert "<iframe" in known["explorer"]._repr_html_()
    if path.stem == "compare_two_checkpoints":
        learned, none = (loaded.config for loaded in known["models"].values())
        assert (learned.positions, learned.with_(positions="none")) == ("learned", none), "alike but for one switch"
