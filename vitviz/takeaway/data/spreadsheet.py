"""Numbers with named axes as a file that spreadsheets open, and in which they find nothing to run."""

import csv as commas
import re
from collections.abc import Mapping, Sequence
from io import StringIO
from itertools import chain, product

from vitviz.figures.figure import Numbers
from vitviz.shown import one_line
from vitviz.takeaway.data.named import free, require_room

FORMULA = "=+-@#＝＋－＠"  # what begins a formula in a spreadsheet, or a comment
AFTER_SEPARATOR = re.compile(rf"([,;|]\s*)(?=[{re.escape(FORMULA)}])")
DIGITS = 13  # bytes of a number and the end of its line, about
QUOTES = 3  # bytes around a name: quotes and a comma


def csv(arrays: Sequence[Numbers], about: Mapping[str, str]) -> bytes:
    """The file for a spreadsheet: one row for each number, the names of its places, then the number itself.

    Several arrays have their name in the first column, "array", and leave the axes empty that are not theirs. Lines
    that begin with # say what it is. A name that a spreadsheet would take for a formula begins with an apostrophe.
    Numbers have as many digits as give the float32 back. Raises `TakeawayError` where the file would be too large.
    """
    axes = list(dict.fromkeys(axis for it in arrays for axis in it.axes))
    several = len(arrays) > 1
    require_room(size_of(arrays), arrays, "take the .npz, which holds them in less")
    buffer = StringIO()
    for name, text in chain(about.items(), ((it.name, it.says) for it in arrays if it.says)):
        buffer.write(f"# {_comment(f'{name}: {text}')}\n")
    writer = commas.writer(buffer, quoting=commas.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerow([*(["array"] if several else []), *map(_cell, axes), "value"])
    called: list[str] = []
    for it in arrays:
        called.append(free(it.name, called))
        places = [_places(it, axis) for axis in axes]
        ahead = [[_cell(called[-1])]] if several else []
        # the axes stand in the order of the header, and those of the array in its own
        ordered = it.values.transpose([it.axes.index(axis) for axis in axes if axis in it.axes])
        rows = product(*ahead, *places)
        writer.writerows((*row, value) for row, value in zip(rows, ordered.ravel(), strict=True))
    text = buffer.getvalue()
    mark = "" if text.isascii() else "\ufeff"  # without which Excel takes UTF-8 for something else
    return (mark + text).encode()


def size_of(arrays: Sequence[Numbers]) -> int:
    """About how many bytes the file has; shapes and names tell, so that arrays without numbers will do."""
    columns = len({axis for it in arrays for axis in it.axes})
    return sum(_bytes(it, columns) for it in arrays)


def _bytes(it: Numbers, columns: int) -> int:
    """About how many bytes the rows of an array take, in a file of so many axes."""
    row = DIGITS + QUOTES * (columns + 1) + len(it.name)
    for axis, size in zip(it.axes, it.values.shape, strict=True):
        names = it.names.get(axis)
        row += sum(len(name.encode(errors="replace")) for name in names) // max(1, size) if names else len(str(size))
    return it.values.size * row


def _places(it: Numbers, axis: str) -> Sequence[str | int]:
    """What stands in the column of an axis: names, numbers from 0, or nothing where it is none of the array's."""
    if axis not in it.axes:
        return [""]
    if axis in it.names:
        return [_cell(name) for name in it.names[axis]]
    return range(it.values.shape[it.axes.index(axis)])


def _cell(text: str) -> str:
    """A name as text, whatever it begins with."""
    line = one_line(text)
    return f"'{line}" if line.lstrip("\"' ")[:1] in tuple(FORMULA) else line


def _comment(text: str) -> str:
    """A line that is no cell's beginning and opens no quotes, also where a spreadsheet splits it."""
    return AFTER_SEPARATOR.sub(r"\1'", one_line(text).replace('"', "'"))
