"""HTML tables of counts: large type, accessible to screen readers, scrollable on a phone."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

import streamlit as st

Cell = str | Mapping[str, str]  # text, or words with the addresses that they lead to


def table(
    name: str,
    head: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    *,
    words: Sequence[int] = (0,),
    total: Sequence[str] = (),
    marked: int | None = None,
    colours: Sequence[str] = (),
    lights: Sequence[str] = (),
) -> None:
    """Rows of text under `head`; columns in `words` stand left, numbers right. `total` is the sum under the line.

    `name` says to a screen reader what the table is; the row number `marked` is the one that is on screen elsewhere.
    With `colours`, one for each row, the table is the legend of a figure; with `lights`, the names of the rows, a row
    that is pointed at lights the marks of that name in the charts of the page.

    On a phone every row stands as a list of its own, each number after the head of its column: hence the roles, which
    a table that is laid out as a list would lose.
    """

    def attributes(at: int) -> str:
        values = {"class": "marked" if at == marked else "", "data-row": lights[at] if lights else ""}
        values["style"] = f"--swatch: {colours[at]}" if colours else ""
        return "".join(f' {key}="{escape(text)}"' for key, text in values.items() if text)

    body = "".join(_row(row, head, words, attributes(at)) for at, row in enumerate(rows))
    foot = f'<tfoot role="rowgroup">{_row(total, head, words)}</tfoot>' if total else ""
    headings = "".join(
        f'<th scope="col" role="columnheader"{_side(at, words)}>{escape(word)}</th>' for at, word in enumerate(head)
    )
    st.html(
        f'<div class="counts" role="region" tabindex="0" aria-label="{escape(name)}"><table role="table">'
        f'<thead role="rowgroup"><tr role="row">{headings}</tr></thead><tbody role="rowgroup">{body}</tbody>{foot}'
        "</table></div>"
    )


def text(name: str, lines: str, lights: Mapping[int, str]) -> None:
    """Typewriter text in a window of its own; one click selects all of it, to be copied.

    `lights` are names of some lines, by number: a line that is pointed at lights the marks of that name in a chart.
    """
    written = "\n".join(
        f'<span data-row="{escape(lights[at])}">{escape(line)}</span>' if at in lights else escape(line)
        for at, line in enumerate(lines.split("\n"))
    )
    st.html(f'<pre class="copy" role="region" tabindex="0" aria-label="{escape(name)}">{written}</pre>')


def _row(cells: Sequence[Cell], head: Sequence[str], words: Sequence[int], attributes: str = "") -> str:
    written = "".join(
        f'<td role="cell" data-head="{escape(head[at])}"{_side(at, words)}>{_written(cell)}</td>'
        for at, cell in enumerate(cells)
    )
    return f'<tr role="row"{attributes}>{written}</tr>'


def _written(cell: Cell) -> str:
    if isinstance(cell, str):
        return escape(cell)
    return ", ".join(f'<a href="{escape(address)}">{escape(word)}</a>' for word, address in cell.items())


def _side(at: int, words: Sequence[int]) -> str:
    return ' class="word"' if at in words else ""
