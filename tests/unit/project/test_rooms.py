"""Inside `vitviz/ui`: rooms stand in an order, what draws a page bears its name, and no page knows another."""

from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.unit.project.test_borders import FILES, ROOT, imported
from vitviz.pages import PAGES

# A room or a module of it may import what stands before it, and its own.
ORDER = (
    "start",
    "code",
    "scripts",
    "styles",
    "selection",
    "sidebar.own_model",
    "sidebar.samples",
    "navigation",
    "notices",
    "links",
    "sidebar.own_folder",
    "sidebar.own_pictures",
    "takeaway.media",
    "server",
    "server.client",
    "server.health",
    "results",
    "pieces",
    "beside",
    "forward",
    "server.startup",
    "fallback",
    "suited",
    "takeaway",
    "widgets",
    "page",
    "controls",
    "sidebar",
    "board",
    "lecture",
    "main",
)
UI = ROOT / "vitviz" / "ui"
MODULES = {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in FILES}


def module_of(name: str) -> str:
    """The module that an imported name is, or lies in."""
    return name if name in MODULES else name.rpartition(".")[0]


def imports(path: Path) -> set[str]:
    """Our own modules that a file imports, at its top or in a function."""
    package = ".".join(path.relative_to(ROOT).parent.parts)
    return {
        found
        for _, name in imported(path.read_text(encoding="utf-8"), package)
        if (found := module_of(name)) in MODULES
    }


def room_of(module: str) -> str:
    """The entry of `ORDER` that a module of `vitviz.ui` belongs to, the longest one."""
    inside = module.removeprefix("vitviz.ui.")
    return max((room for room in ORDER if f"{inside}.".startswith(f"{room}.")), key=len)


def may_import(module: str, other: str) -> bool:
    """Whether a module of `vitviz.ui` may know another."""
    return ORDER.index(room_of(other)) <= ORDER.index(room_of(module))


def test_every_room_imports_only_what_stands_before_it() -> None:
    inside = {module: path for module, path in MODULES.items() if module.startswith("vitviz.ui.")}
    known = [(module, other) for module, path in inside.items() for other in imports(path) if other in inside]
    assert len(known) > 100
    assert [pair for pair in known if not may_import(*pair)] == []


@pytest.mark.parametrize(
    ("module", "other"),
    [
        ("links", "page"),
        ("sidebar.own_model", "sidebar.panel"),
        ("server.turns", "server.client"),
        ("sidebar.panel", "board.address"),
        ("widgets.table", "page"),
        ("results", "sidebar.panel"),
    ],
)
def test_some_rooms_must_not_know_each_other(module: str, other: str) -> None:
    assert not may_import(f"vitviz.ui.{module}", f"vitviz.ui.{other}")
    assert may_import(f"vitviz.ui.{other}", f"vitviz.ui.{module}")


def test_nothing_imports_in_a_circle() -> None:
    graph = {module: imports(path) - {module} for module, path in MODULES.items() if path.name != "__init__.py"}
    TopologicalSorter(graph).prepare()  # raises CycleError, which names the circle


def test_pages_know_no_other_page() -> None:
    for page in PAGES.values():
        own = f"pages.{page.folder.parent.name}.{page.stem}"
        for path in page.folder.rglob("*.py"):
            known = [name for name in imports(path) if name.removeprefix("vitviz.").startswith("pages.")]
            assert [name for name in known if not name.removeprefix("vitviz.").startswith(own)] == [], path
