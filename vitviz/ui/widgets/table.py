"""HTML tables of counts: large type, accessible to screen readers, scrollable on a phone."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

import streamlit as st

NO_LINKS: Mapping[int, str] = {}


def table(
    name: str,
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    words: Sequence[int] = (0,),
    total: Sequence[str] = (),
    marked: int | None = None,
    colours: Sequence[str] = (),
    lights: Sequence[str] = (),
    links: Sequence[Mapping[int, str]] = (),
) -> None:
    """Rows of text under `head`; columns in `words` stand left, numbers right. `total` is the sum under the line.

    `name` says to a screen reader what the table is; the row number `marked` is the one that is on screen elsewhere.
    With `colours`, one for each row, the table is the legend of a figure; with `lights`, the names of the rows, a row
    that is pointed at lights the marks of that name in the charts of the page. `links` are the addresses, for each row,
    that its cells lead to, by their number.

    On a phone every row stands as a list of its own, each number after the head of its column: hence the roles, which
    a table that is laid out as a list would lose.
    """

    def attributes(at: int) -> str:
        values = {"class": "marked" if at == marked else "", "data-row": lights[at] if lights else ""}
        values["style"] = f"--swatch: {colours[at]}" if colours else ""
        return "".join(f' {key}="{escape(text)}"' for key, text in values.items() if text)

    body = "".join(
        _row(row, head, words, attributes(at), links[at] if links else NO_LINKS) for at, row in enumerate(rows)
    )
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


def _row(
    cells: Sequence[str],
    head: Sequence[str],
    words: Sequence[int],
    attributes: str = "",
    links: Mapping[int, str] = NO_LINKS,
) -> str:
    texts = [
        f'<a href="{escape(links[at])}">{escape(cell)}</a>' if at in links else escape(cell)
        for at, cell in enumerate(cells)
    ]
    written = "".join(
        f'<td role="cell" data-head="{escape(head[at])}"{_side(at, words)}>{text}</td>' for at, text in enumerate(texts)
    )
    return f'<tr role="row"{attributes}>{written}</tr>'


def _side(at: int, words: Sequence[int]) -> str:
    return ' class="word"' if at in words else ""
