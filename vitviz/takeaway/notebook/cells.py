"""A notebook as the JSON that it is."""

from __future__ import annotations

import json
from typing import Any


def quoted(text: str) -> str:
    """A text as Python writes it, whatever letters it has."""
    return f'"{text}"' if text.isprintable() and not {'"', "\\"} & {*text} else repr(text)


def word(text: str) -> str:
    """A name between backticks that cannot end them, nor the line."""
    return "".join(letter if letter.isprintable() and letter not in "`<>" else " " for letter in text)


def says(text: str) -> dict[str, Any]:
    """A cell of words."""
    return {"cell_type": "markdown", "metadata": {}, "source": text.splitlines(keepends=True)}


def code(text: str) -> dict[str, Any]:
    """A cell of code."""
    lines = text.splitlines(keepends=True)
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": lines}


def written(cells: list[dict[str, Any]]) -> str:
    """The cells, numbered, as the text of an `.ipynb` file."""
    numbered = [{"id": f"cell-{number}", **cell} for number, cell in enumerate(cells, start=1)]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    whole = {"cells": numbered, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"
