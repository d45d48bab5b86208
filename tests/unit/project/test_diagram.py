"""The diagram of the board's data names files that are there, and what is in them.

What is in scripts tests/frontend/diagram.test.js looks for.
"""

import ast
import re
from pathlib import Path

from tests.unit.project.test_borders import ROOT

TEXT = (ROOT / "docs/board.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (\w+) \| [^|]+ \| `([^`|]+)` \| ([^|]+) \|$", re.MULTILINE)
OUTSIDE = {"hand"}  # is no code


def declared(source: str) -> set[str]:
    """The functions and classes of a module, and their methods."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {node.name for node in ast.walk(ast.parse(source)) if isinstance(node, kinds)}


def test_what_it_names_is_there() -> None:
    rows = ROW.findall(TEXT)
    assert len(rows) == TEXT.count("\n| ") - 1, "a row that is not read"
    for _, path, names in rows:
        source = (ROOT / path).read_text(encoding="utf-8")
        if path.endswith(".py"):
            assert {*re.findall(r"`(\w+)`", names)} <= declared(source), path
        else:
            assert path.endswith(".js"), path
    for path in re.findall(r"`([\w/]+\.\w+)`", TEXT):
        assert Path(ROOT / path).is_file(), path


def test_every_part_of_the_drawing_stands_in_the_table() -> None:
    drawing = TEXT.split("```")[1]
    parts = set(re.findall(r"^ +(\w+)|> (\w+)$", drawing, re.MULTILINE)) - {("flowchart", "")}
    named = {part for pair in parts for part in pair if part} - {"flowchart"}
    assert named - OUTSIDE == {part for part, _, _ in ROW.findall(TEXT)}
