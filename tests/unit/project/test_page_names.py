"""No page is named outside its folder: what knows the form of pages knows none of them.

tests/frontend/borders.test.js holds the same of scripts.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from vitviz.choices import OF_PAGES
from vitviz.counts.count_line import AXES
from vitviz.pages import PAGES

ROOT = Path(__file__).parents[3]
# Of these a page bears the name, and much else does: they count only where they are compared with a page or stem, or
# where a link leads to them.
WORDS = {
    *("chance", "depth", "gradients", "growth", "heads", "lecture", "lecturer", "memory", "norms"),
    *("notebook", "order"),
    *("parameters", "resolution", "shift", "speed", "status", "switches"),
}
# The library has functions, modules and values of these names: only as texts they are a page's.
NAMES = {
    *("arithmetic", "first_values", "five_shots", "layer_table", "patch_embedding", "siblings", "side_by_side"),
}
COUNTED = AXES.keys() & PAGES.keys()  # stages of the model with a page's name: texts of what counts them
OLD_LINKS = "vitviz/addresses/old.py"
# What reads addresses, and knows no word that a single page lets one say there.
GLOBS = ("addresses/[!o]*.py", "choices.py", "lecture/views.py", "ui/links.py", "ui/board/*.py", "takeaway/view.py")
READERS = [path for glob in GLOBS for path in (ROOT / "vitviz").glob(glob)]


def stems_in(source: str) -> Iterator[str]:
    """The stems of pages that a module names in texts and identifiers."""
    tree = ast.parse(source)
    offered = {it for node in tree.body if ast.unparse(node).startswith("__all__") for it in ast.walk(node)}
    for node in ast.walk(tree):
        names = {getattr(node, field, None) for field in ("id", "attr", "arg", "name", "module")} - NAMES
        if isinstance(node, ast.Constant) and node not in offered:
            names.add(node.value if isinstance(node.value, str) else None)
        yield from (it for it in PAGES.keys() & names if it not in WORDS)
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(ast.unparse(side).endswith(("page", "stem")) for side in sides):
                texts = (it.value for side in sides for it in ast.walk(side) if isinstance(it, ast.Constant))
                yield from (it for it in texts if it in WORDS)
        if isinstance(node, ast.Call) and node.args and ast.unparse(node.func).endswith(("link", "address")):
            yield from (it.value for it in node.args[:1] if isinstance(it, ast.Constant) and it.value in WORDS)


def found_in(path: Path) -> set[str]:
    source = path.read_text(encoding="utf-8")
    stages = COUNTED if (ROOT / "vitviz" / "counts") in path.parents else set()
    return set(stems_in(source)) - stages


def test_no_page_is_named_outside_its_folder() -> None:
    files = [ROOT / "app.py", *(ROOT / "vitviz").rglob("*.py")]
    found = {path.relative_to(ROOT).as_posix(): found_in(path) for path in files}
    found.pop(OLD_LINKS)
    assert {name: stems for name, stems in found.items() if stems} == {}


@pytest.mark.parametrize("path", READERS, ids=lambda it: it.stem)
def test_no_word_of_a_single_page_is_known_to_what_reads_addresses(path: Path) -> None:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    assert [node.value for node in nodes if isinstance(node, ast.Constant) and node.value in OF_PAGES] == []


@pytest.mark.parametrize(
    "source",
    [
        'TABLE = {"class_head": 1}',
        'if view.page == "heads": pass',
        'known = stem in ("overview_", "depth")',
        "from vitviz.measures import intervene",
        'link("layer_table")',
    ],
)
def test_a_name_is_found(source: str) -> None:
    assert len(set(stems_in(source))) == 1


def test_a_word_of_the_field_is_no_page() -> None:
    assert set(stems_in('config.heads; FIELDS = ("depth", "heads")')) == set()
    assert set(stems_in('def layer_table(): pass\n\n__all__ = ["layer_table"]')) == set()
