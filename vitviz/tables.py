"""Tables as HTML: how values show themselves in a notebook."""

from collections.abc import Iterable, Sequence
from html import escape


def html_table(header: Sequence[str], rows: Iterable[Sequence[object]], total: Sequence[object] = ()) -> str:
    """A table with its words escaped; numbers to the right with commas, the `total` below where there is one."""
    lines = [_line("td", row) for row in rows]
    foot = f"<tfoot>{_line('th', total)}</tfoot>" if total else ""
    return f"<table><thead>{_line('th', header)}</thead><tbody>{''.join(lines)}</tbody>{foot}</table>"


def _line(kind: str, cells: Sequence[object]) -> str:
    return f"<tr>{''.join(_cell(kind, cell) for cell in cells)}</tr>"


def _cell(kind: str, cell: object) -> str:
    if isinstance(cell, int) and not isinstance(cell, bool):
        return f'<{kind} style="text-align:right">{cell:,}</{kind}>'
    return f'<{kind} style="text-align:left">{escape(_text(cell))}</{kind}>'


def _text(cell: object) -> str:
    return " × ".join(f"{side:,}" for side in cell) if isinstance(cell, tuple) else str(cell)
