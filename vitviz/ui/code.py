"""The source of what ran, read from its file, and functions of the model whose lines are marked."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import streamlit as st

ROOT = Path(__file__).parents[1]
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


def marked_code(functions: Sequence[Sequence[str]]) -> None:
    """Each function of the model by its name, and in it those lines marked that hold a fragment behind the name."""
    st.html("".join(_marked(name, fragments) for name, *fragments in functions))


def _marked(name: str, fragments: Sequence[str]) -> str:
    lines = "".join(_line(line, any(it in line for it in fragments)) for line in source_of(name).splitlines())
    return f'<pre class="marked" role="region" tabindex="0" aria-label="{escape(name)}">{lines}</pre>'


def _line(line: str, marked: bool) -> str:
    """A line that goes on further in where it does not fit."""
    tag, code = "mark" if marked else "span", line.lstrip()
    return f'<{tag} style="--in: {len(line) - len(code)}ch">{escape(code)}\n</{tag}>'
