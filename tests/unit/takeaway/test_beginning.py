"""A notebook begins with what it needs: it installs nothing, and says in one line how to where something is missing."""

import ast
import re
import sys
from pathlib import Path

import nbformat
import pytest

from tests.cases import each
from tests.unit.takeaway.calculations.links import chosen_on
from tests.unit.takeaway.calculations.test_notebook import cells_of, of
from tests.unit.takeaway.test_examples import BOOKS
from vitviz import __version__
from vitviz.takeaway.calculations import CALCULATIONS
from vitviz.takeaway.notebook.notebook import HERE
from vitviz.weights import Loaded

NEEDED = {"einops", "plotly", "safetensors", "torch", "vitviz"}
BESIDE = {
    "base64",
    "collections",
    "importlib",
    "io",
    "numpy",
    "pathlib",
    "PIL",
}  # Python's own, and what PyTorch and Plotly bring


def imported(cells: list[str]) -> set[str]:
    """What cells import, by its first name; a magic or a line for the shell is no Python, and raises."""
    nodes = [node for cell in cells for node in ast.walk(ast.parse(cell))]
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    return {name.partition(".")[0] for name in names}


@each(CALCULATIONS)
def test_no_cell_of_a_view_installs_anything(page: str, demo: Loaded) -> None:
    cells = cells_of(of(chosen_on(page), demo))
    assert cells[0] == HERE
    assert imported(cells) <= NEEDED | BESIDE


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_no_cell_of_an_example_installs_anything(path: Path) -> None:
    assert imported(cells_of(path.read_text(encoding="utf-8"))) <= NEEDED | BESIDE


@pytest.mark.parametrize("name", sorted(NEEDED))
def test_what_is_missing_is_named_with_the_way_to_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError) as error:
        exec(HERE, {})
    said = str(error.value)
    assert re.search(rf"\b{name}\b", said.partition(": ")[0])
    assert "`pip install .` in its repository" in said
    assert f"./vitviz-{__version__}-py3-none-any.whl" in said
    assert "--no-deps" in said
    assert "\n" not in said
    assert error.value.__suppress_context__


def test_another_pytorch_is_taken_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.__version__", "2.9.1")
    monkeypatch.setattr("subprocess.Popen", None)  # nothing is started
    exec(HERE, {})


@pytest.mark.parametrize("page", ["order", "shift", "resolution"])
def test_a_page_that_asks_for_a_guess_has_a_notebook_that_asks_before_it_tells(page: str, demo: Loaded) -> None:
    cells = nbformat.reads(of(chosen_on(page), demo), as_version=4).cells
    told = next(at for at, cell in enumerate(cells) if cell.cell_type == "code" and "values = " in cell.source)
    before = " ".join(cell.source for cell in cells[:told] if cell.cell_type == "markdown")
    assert "Guess before you run" in before
    assert before.rstrip().endswith("?")
    for answer in ("is 0", "0 but", "rounding", "does not move", "moves the most"):
        assert answer not in before


def test_what_order_shows_stands_below_its_numbers(demo: Loaded) -> None:
    cells = nbformat.reads(of(chosen_on("order"), demo), as_version=4).cells
    told = next(at for at, cell in enumerate(cells) if 'load("shelf_none_0")' in cell.source)
    figure = next(at for at, cell in enumerate(cells) if "panels(maps" in cell.source)
    assert told > figure
