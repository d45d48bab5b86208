"""The code that ran, as a page shows it."""

import ast
import inspect
import textwrap

from tests.unit.project.test_borders import ROOT
from vitviz import model
from vitviz.edits import dropout
from vitviz.ui.code import source_of


def names_on_pages() -> list[str]:
    """What pages show of the model, by name."""
    calls = [
        node
        for path in sorted((ROOT / "pages").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "source"
    ]
    texts = [it.value for call in calls for it in ast.walk(call) if isinstance(it, ast.Constant)]
    return sorted({text for text in texts if isinstance(text, str)} | {"MLP", "GatedMLP"})


def test_code_of_the_model_is_read_without_an_import_as_it_is() -> None:
    names = names_on_pages()
    assert {"ViT.forward", "Block", "Attention", "attention"} <= set(names), "pages show it"
    for name in names:
        home, _, attribute = name.partition(".")
        function = getattr(model if hasattr(model, home) else dropout, home)
        if attribute:
            function = getattr(function, attribute)
        assert source_of(name) == textwrap.dedent(inspect.getsource(function)), name
