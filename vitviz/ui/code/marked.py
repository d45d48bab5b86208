"""Functions of the model whose lines are marked."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from vitviz.ui.code.source import source_of


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
