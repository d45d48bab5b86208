"""The source of what ran, read from its file."""

import ast
import inspect
import textwrap
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
MODEL = [ROOT / "model.py", *sorted((ROOT / "switches").rglob("*.py")), ROOT / "edits" / "dropout.py"]


@cache
def source_of(function: Callable[..., Any] | str) -> str:
    """The source of a function.

    One that is given by its name lies in the files of `MODEL`: those are read and not imported, because they need
    PyTorch.
    """
    if isinstance(function, str):
        return _source_in_model(function)
    return textwrap.dedent(inspect.getsource(inspect.unwrap(function)))


def _source_in_model(name: str) -> str:
    words = name.split(".")
    texts = (path.read_text(encoding="utf-8") for path in MODEL)
    text = next(text for text in texts if any(_is_called(it, words[0]) for it in ast.parse(text).body))
    found: Any = ast.parse(text)
    for word in words:
        found = next(it for it in found.body if _is_called(it, word))
    first = min([found.lineno, *(decorator.lineno for decorator in found.decorator_list)])
    return textwrap.dedent("\n".join(text.splitlines()[first - 1 : found.end_lineno]) + "\n")


def _is_called(statement: ast.stmt, name: str) -> bool:
    return getattr(statement, "name", "") == name
