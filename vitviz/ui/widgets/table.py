"""HTML tables of counts: large type, accessible to screen readers, scrollable on a phone."""

from collections.abc import Iterable, Sequence
from html import escape

import streamlit as st


def table(
    name: str,
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    words: Sequence[int] = (0,),
    total: Sequence[str] = (),
    marked: int | None = None,
    colours: Sequence[str] = (),
) -> None:
    """Rows of text under `head`; columns in `words` stand left, numbers right. `total` is the sum under the line.

    `name` says to a screen reader what the table is; the row number `marked` is the one that is on screen elsewhere.
    With `colours`, one for each row, the table is the legend of a figure.
    """
    attributes = {marked: ' class="marked"'} | {at: f' style="--swatch: {it}"' for at, it in enumerate(colours)}
    body = "".join(_row(row, words, attributes.get(at, "")) for at, row in enumerate(rows))
    foot = f"<tfoot>{_row(total, words)}</tfoot>" if total else ""
    headings = "".join(f'<th scope="col"{_side(at, words)}>{escape(word)}</th>' for at, word in enumerate(head))
    st.html(
        f'<div class="counts" role="region" tabindex="0" aria-label="{escape(name)}"><table>'
        f"<thead><tr>{headings}</tr></thead><tbody>{body}</tbody>{foot}</table></div>"
    )


def text(name: str, lines: str) -> None:
    """Typewriter text in a window of its own; one click selects all of it, to be copied."""
    st.html(f'<pre class="copy" role="region" tabindex="0" aria-label="{escape(name)}">{escape(lines)}</pre>')


def _row(cells: Sequence[str], words: Sequence[int], attribute: str = "") -> str:
    return f"<tr{attribute}>{''.join(f'<td{_side(at, words)}>{escape(it)}</td>' for at, it in enumerate(cells))}</tr>"


def _side(at: int, words: Sequence[int]) -> str:
    return ' class="word"' if at in words else ""
