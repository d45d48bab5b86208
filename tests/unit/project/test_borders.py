"""Imports go one way, as tests/frontend/borders.test.js holds of scripts, and no folder lies deep."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.cases import each

ROOT = Path(__file__).parents[3]
# A part may import what is named here, and whatever those may import in turn.
IMPORTS = {
    "numbers": "",
    "view": "edits images",
    "calculation": "view cards demo figures",
    "choice": "addresses",
    "plain": "machine.pytorch measures",
    "page": "calculation choice sentences",
    "sentences": "config numbers palette",
    "shown": "",
    "config": "shown",
    "palette": "",
    "machine": "",
    "machine.disk": "",
    "machine.pytorch": "",
    "machine.wanted": "",
    "machine.device": "machine.pytorch machine.wanted",
    "machine.price": "counts machine.device",
    "recording": "machine.wanted",
    "edits": "config",
    "edits.applied": "edits edits.pixels edits.dropout model",
    "edits.pixels": "edits",
    "edits.dropout": "edits",
    "switches": "config recording",
    "model": "switches",
    "activations": "config",
    "trace": "model activations edits.applied",
    "measures": "trace machine.price numbers",
    "counts": "activations numbers",
    "images": "config machine.wanted numbers",
    "addresses": "edits images",
    "demo": "measures images",
    "shelf": "demo shelf.cnn shelf.measured",
    "shelf.rows": "config",
    "shelf.cnn": "shelf.rows",
    "shelf.measured": "shelf.rows",
    "equations": "counts",
    "cards": "equations shelf.measured",
    "pretrained": "config",
    "messages": "",
    "scripts": "counts figures installed messages",
    "scripts.schema": "choices lecture.rooms scripts",
    "selection": "edits images installed pretrained shelf.rows",
    "samples": "selection demo",
    "results": "selection engine engine.jobs edits.running",
    "board": "choices results samples scripts messages",
    "widget": "board takeaway",
    "site": "board __version__",
    "weights": "model images machine.disk machine.price demo shelf.rows pretrained",
    "photo": "weights",
    "engine": "machine.device machine.wanted",
    "engine.process": "engine engine.jobs forward __version__",
    "engine.ray": "engine.process",
    "forward": "measures weights",
    "edits.running": "forward",
    "laboratory": "forward shelf",
    "installed": "",
    "pages": "installed page plain palette cards laboratory edits.running samples",
    "choices": "pages",
    "lecture": "messages choices cards machine.disk forward pretrained palette shelf.measured lecture.rooms shown",
    "lecture.rooms": "messages pages",
    "figures": "palette numbers __version__",
    "takeaway": "choices lecture addresses edits.running laboratory figures scripts __version__",
    "engine.jobs": "laboratory edits.running",
    "ui": "messages board takeaway cards equations laboratory engine.process engine.ray pretrained lecture",
    "pages.drawn": "ui",
    "app": "ui",
    "__version__": "",
    "__main__": "ui machine.disk __version__",
}
# What the server of pages is made of, and what only counts or draws: PyTorch is not named there.
WITHOUT_PYTORCH = {
    *("pages", "app", "ui", "figures", "palette", "counts", "activations", "config", "numbers", "addresses"),
    *("pretrained", "shelf.rows", "shelf.measured", "edits", "edits.running", "engine", "engine.process", "forward"),
    *("cards", "engine.ray", "machine.price", "machine.device", "laboratory", "scripts", "takeaway", "shown"),
    *("lecture", "lecture.rooms", "equations", "installed", "page", "pages.drawn", "scripts.schema"),
    *("view", "calculation", "choice", "choices", "plain", "sentences", "messages"),
    *("selection", "samples", "results", "board", "widget", "site"),
}
# These libraries are at home in some parts only.
LIBRARIES = {
    "anywidget": {"widget"},
    "traitlets": {"widget"},
    "streamlit": {"ui", "pages.drawn", "app"},
    "plotly": {"figures"},
    "torch": set(IMPORTS) - WITHOUT_PYTORCH,
    "ray": {"engine.ray"},
    "einops": set(IMPORTS) - WITHOUT_PYTORCH | {"ui", "pages.drawn"},
}
DEEPEST = 4  # folders below `vitviz/` or `pages/`
OURS = ("vitviz", "pages", "app", "tests", "benchmarks")
FILES = [ROOT / "app.py", *sorted((ROOT / "vitviz").rglob("*.py")), *sorted((ROOT / "pages").rglob("*.py"))]


def part_of(name: str) -> str:
    """The part that a module, or what it holds, belongs to: the longest one of `IMPORTS`, else the first word.

    What lies in a page's folder beside its value is drawn.
    """
    words = name.removeprefix("vitviz.").split(".")
    if words[0] == "pages" and len(words) > 3 and words[3] != "page":
        return "pages.drawn"
    return next((part for end in (2, 1) if (part := ".".join(words[:end])) in IMPORTS), words[0])


def reach(part: str, imports: Mapping[str, str] = IMPORTS) -> set[str]:
    """All parts that `part` may import, itself included."""
    return {part}.union(*(reach(other, imports) for other in imports[part].split()))


def imported(source: str, package: str = "") -> Iterator[tuple[int, str]]:
    """Line and full name of every import, at the top of a file or inside a function."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package.split(".")[: -node.level + 1 or None]) if node.level else ""
            module = ".".join(filter(None, (base, node.module)))
            yield from ((node.lineno, f"{module}.{alias.name}") for alias in node.names)


def trespasses(part: str, source: str, package: str = "") -> Iterator[str]:
    """One sentence for each import that `part` may not have."""
    allowed = reach(part)
    for line, name in imported(source, package):
        library = name.partition(".")[0]
        if library in OURS and part_of(name) not in allowed:
            yield f"line {line} imports {name}; {part} may import {', '.join(sorted(allowed))}"
        if part not in LIBRARIES.get(library, {part}):
            yield f"line {line} imports {name}; {library} belongs to {', '.join(sorted(LIBRARIES[library]))}"


@each(FILES)
def test_imports_go_one_way(path: Path) -> None:
    parts = path.relative_to(ROOT).with_suffix("").parts
    part = part_of(".".join(parts))
    source = path.read_text(encoding="utf-8")
    if part == "__init__":
        assert {name for _, name in imported(source)} <= {"importlib.import_module", "typing.Any"}
        return
    assert part in IMPORTS, f"a new part: say in IMPORTS what {part} may import"
    assert list(trespasses(part, source, ".".join(parts[:-1]))) == []


@pytest.mark.parametrize(
    ("part", "source"),
    [
        ("figures", "import torch"),
        ("figures", "from vitviz.trace import record"),
        ("config", "def late():\n    from vitviz import model"),
        ("model", "from ..vitviz.trace import record"),
        ("measures", "import streamlit as st"),
        ("pages", "import streamlit as st"),
        ("pages.drawn", "import plotly.graph_objects as go"),
        ("ui", "import torch"),
        ("engine.process", "def late():\n    from torch import Tensor"),
        ("counts", "from vitviz.model import ViT"),
        ("counts", "from vitviz.machine.price import require_forward"),
        ("machine.device", "from vitviz.machine import price"),
        ("trace", "from vitviz.demo.scenes import CLASSES"),
        ("ui", "from vitviz.pages.overview.overview.shown import show"),
        ("pages", "from vitviz.pages.overview.overview import shown"),
    ],
)
def test_a_wrong_import_is_found(part: str, source: str) -> None:
    assert len(list(trespasses(part, source, "vitviz.x"))) == 1


@pytest.mark.parametrize(
    ("part", "source"),
    [
        ("measures", "from vitviz.config import ViTConfig"),
        ("figures", "from vitviz.figures.frame import layout"),
        ("figures", "from .frame import layout"),
        ("pages.drawn", "import streamlit as st\nfrom vitviz import measures, numbers"),
    ],
)
def test_a_right_import_is_left_alone(part: str, source: str) -> None:
    assert list(trespasses(part, source, "vitviz.figures")) == []


def circle(graph: Mapping[str, Iterable[str]]) -> list[str]:
    """What imports each other in a circle, or nothing."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_what_may_be_imported_is_a_partial_order() -> None:
    assert circle({part: others.split() for part, others in IMPORTS.items()}) == []


def test_a_circle_is_found() -> None:
    assert set(circle({"a": ["b"], "b": ["c"], "c": ["a"]})) == {"a", "b", "c"}


def test_no_folder_lies_deep() -> None:
    folders = [path.parent.relative_to(ROOT) for path in FILES if path.parent != ROOT]
    assert [str(folder) for folder in {*folders} if len(folder.parts) - 1 > DEEPEST] == []
