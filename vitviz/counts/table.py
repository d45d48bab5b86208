"""Rows as CSV, for a spreadsheet."""

import csv
import io
from collections.abc import Sequence
from dataclasses import fields
from typing import Any


def csv_text(rows: Sequence[Any]) -> str:
    """Rows of one dataclass as CSV with a header; a shape is written like its axes: `768 3 16 16`."""
    names = [field.name for field in fields(rows[0])]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([_cell(getattr(row, name)) for name in names] for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    return " ".join(map(str, value)) if isinstance(value, tuple) else value
