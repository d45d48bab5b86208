"""Names say what a thing is: participles that fit anything, `asked` or `told`, are names of nothing."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[3]

ANYTHING = {"asked", "said", "told", "taken", "kept", "granted", "promised", "offered"}


def names_in(tree: ast.Module) -> Iterator[str]:
    """What is named in a module: functions, classes, arguments, variables and attributes."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name


def test_nothing_is_named_by_a_participle_that_fits_anything() -> None:
    files = [ROOT / "app.py", *(ROOT / "vitviz").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]
    found = {
        f"{file.relative_to(ROOT)}: {name}"
        for file in files
        for name in (file.stem, *names_in(ast.parse(file.read_text(encoding="utf-8"))))
        if name.strip("_").lower() in ANYTHING
    }
    assert not found
