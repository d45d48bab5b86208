"""A figure as JSON for the browser, as `frontend/types/figure.d.ts` says: what has its usual value is left out."""

import base64
from dataclasses import Field, fields, is_dataclass, replace
from functools import lru_cache, singledispatch
from typing import Any

import numpy as np

from vitviz.figures import marks as it
from vitviz.figures.digested import Digested, digested
from vitviz.figures.figure import Figure
from vitviz.figures.marks import Mark, Says
from vitviz.figures.pixels import data_uri, fitting
from vitviz.numbers import small

LEFT_OUT = ("numbers", "photo", "pixels")


def message(figure: Figure) -> dict[str, Any]:
    """What the browser draws: all of a figure but its numbers for files; made once, since every run draws it again."""
    return _message(digested(replace(figure, numbers=())))


@lru_cache(maxsize=100)
def _message(drawn: Digested) -> dict[str, Any]:
    figure: Figure = drawn.value
    fields = _plain(figure)
    if figure.scale:
        fields["scale"] |= {"ends": list(map(small, figure.scale.ends))}
    return fields


@singledispatch
def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return _fields(value)
    nested = isinstance(value, tuple) and value and (is_dataclass(value[0]) or isinstance(value[0], tuple))
    return [_plain(each) for each in value] if nested else value


def _fields(value: Any) -> dict[str, Any]:
    """A mark says what kind it is."""
    kind = {"kind": type(value).__name__.lower()} if isinstance(value, Mark) else {}
    found = [(field, getattr(value, field.name)) for field in fields(value) if field.name not in LEFT_OUT]
    return kind | {field.name: _plain(own) for field, own in found if not _usual(field, own)}


def _usual(field: Field[Any], value: Any) -> bool:
    return value is field.default or (isinstance(value, str | int | float | tuple) and value == field.default)


@_plain.register
def _line(mark: it.Line) -> dict[str, Any]:
    return _fields(replace(mark, points=())) | {"points": mark.points}  # there are many of them


@_plain.register
def _array(values: np.ndarray) -> dict[str, Any]:
    """The bytes of numbers, with four for each."""
    if values.dtype.kind not in "iufb":
        return {"texts": values.ravel().tolist(), "shape": values.shape}
    whole = values.dtype.kind in "iub" and np.abs(values.astype(float)).max(initial=0) < 2**31
    array = np.ascontiguousarray(values, np.int32 if whole else np.float32)
    return {"i4" if whole else "f4": base64.b64encode(array.tobytes()).decode(), "shape": values.shape}


@_plain.register
def _says(says: Says) -> dict[str, Any]:
    return {"words": says.words, "columns": {name: _array(np.asarray(it)) for name, it in says.columns.items()}}


@_plain.register
def _heat(mark: it.Heat) -> dict[str, Any]:
    rows, columns = mark.values.shape
    names = {"called": list(mark.called), "names": list(mark.columns)}
    return _fields(mark) | {name: it for name, it in names.items() if it} | {"rows": rows, "columns": columns}


@_plain.register
def _picture(mark: it.Picture) -> dict[str, Any]:
    fields = _fields(mark)
    smooth = mark.photo and mark.pixels.shape[:2] != (mark.rows, mark.columns)  # a pixel for each cell is a cell
    return fields | {"source": data_uri(fitting(mark.pixels)), "smooth": smooth}
