"""What is shown as it is: foreign words, short and on one line, and values as tables of HTML."""

import unicodedata
from collections.abc import Iterable, Sequence
from html import escape

QUOTED = 100  # letters; the longest name of a parameter, in Google's files, has 68
MARKS = 4  # that may stand above and below one letter; Hebrew and Vietnamese need three
# Letters that Unicode calls printable and that show nothing: fillers, a joiner, braille without dots, variants.
BLANK = {*"\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"}
BLANK |= {*map(chr, range(0xE0100, 0xE01F0))}
JOINERS = "\u200c\u200d"  # in words of Persian and Hindi, and in pictures made of several


def quoted(words: object, most: int = QUOTED) -> str:
    """Foreign words as part of a sentence: on one line, and many without their middle.

    >>> quoted("a\\nname")
    'a name'
    """
    try:
        text = str(words)
    except ValueError:  # Python writes no whole number of more than 4,300 digits
        return "a number of thousands of digits"
    return one_line(text if len(text) <= most else f"{text[: most // 2]}…{text[-most // 2 :]}")


def one_line(text: str) -> str:
    """Foreign words with single spaces for line breaks and whatever else cannot be seen."""
    return " ".join("".join(" " if unseen else letter for letter, unseen in _looked_at(text)).split())


def hides(text: str, lines: str = "") -> bool:
    """Whether a text has letters that cannot be seen, but for `lines`, or that pile up on each other."""
    if text.isascii() and text.isprintable():
        return False
    return any(unseen and letter not in f"{JOINERS}{lines}" for letter, unseen in _looked_at(text))


def _looked_at(text: str) -> Iterable[tuple[str, bool]]:
    """Each letter, and whether it cannot be seen."""
    marks = 0
    for letter in text:
        marks = marks + 1 if unicodedata.category(letter) in ("Mn", "Me") else 0
        yield letter, not letter.isprintable() or letter in BLANK or marks > MARKS


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
