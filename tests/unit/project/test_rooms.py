"""Inside `vitviz/ui`: rooms stand in a partial order, what draws a page bears its name, and no page knows another."""

from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.unit.project.test_borders import FILES, ROOT, imported, reach
from vitviz.pages import PAGES

# A room, or a module of it, may import what is named here, and whatever those may import in turn.
ROOMS = {
    "private": "",
    "start": "private",
    "code": "",
    "controls": "widgets",
    "components": "private",
    "styles": "",
    "selection": "",
    "navigation": "private",
    "notices": "",
    "links": "notices private",
    "sidebar.own_model": "",
    "sidebar.own_folder": "",
    "sidebar.samples": "",
    "sidebar.own_pictures": "",
    "takeaway.media": "private",
    "server": "links sidebar.own_folder sidebar.own_pictures sidebar.samples styles takeaway.media",
    "server.client": "server",
    "server.health": "server.client",
    "server.startup": "server.client",
    "pieces": "server.client",
    "other_networks": "server.client",
    "forward": "server.client",
    "fallback": "server.client",
    "suited": "server.client",
    "takeaway": "components navigation selection server.client",
    "widgets": "sidebar.own_model takeaway",
    "page": "code widgets",
    "notebook": "page",
    "sidebar": "fallback suited widgets",
    "board": "forward page pieces sidebar",
    "lecture": "sidebar",
    "script": "board",
    "main": "lecture script",
}
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
    """The entry of `ROOMS` that a module of `vitviz.ui` belongs to, the longest one."""
    inside = module.removeprefix("vitviz.ui.")
    return max((room for room in ROOMS if f"{inside}.".startswith(f"{room}.")), key=len)


def may_import(module: str, other: str) -> bool:
    """Whether a module of `vitviz.ui` may know another."""
    return room_of(other) in reach(room_of(module), ROOMS)


def test_every_room_imports_only_what_it_may() -> None:
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
        ("suited", "sidebar.panel"),
    ],
)
def test_some_rooms_must_not_know_each_other(module: str, other: str) -> None:
    assert not may_import(f"vitviz.ui.{module}", f"vitviz.ui.{other}")
    assert may_import(f"vitviz.ui.{other}", f"vitviz.ui.{module}")


@pytest.mark.parametrize(("module", "other"), [("lecture.home", "board.component"), ("suited.kinds", "pieces")])
def test_rooms_beside_each_other_know_nothing_of_each_other(module: str, other: str) -> None:
    assert not may_import(f"vitviz.ui.{module}", f"vitviz.ui.{other}")
    assert not may_import(f"vitviz.ui.{other}", f"vitviz.ui.{module}")


def test_nothing_imports_in_a_circle() -> None:
    graph = {module: imports(path) - {module} for module, path in MODULES.items() if path.name != "__init__.py"}
    TopologicalSorter(graph).prepare()  # raises CycleError, which names the circle


def test_pages_know_no_other_page() -> None:
    for page in PAGES.values():
        own = f"pages.{page.folder.parent.name}.{page.stem}"
        for path in page.folder.rglob("*.py"):
            known = [name for name in imports(path) if name.removeprefix("vitviz.").startswith("pages.")]
            assert [name for name in known if not name.removeprefix("vitviz.").startswith(own)] == [], path
