"""What Plotly says of a mark's places, and arrays in its JSON."""

import base64
import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vitviz.figures.marks import Says

COLUMN = re.compile(r"\{(\w+)(:[^}]*)?\}")
Spec = dict[str, Any]


def hover(says: Says | None, shape: tuple[int, ...], value: str) -> Spec:
    """A template of Plotly's, and the columns that it takes its numbers and names from."""
    if says is None:
        return {"hoverinfo": "skip"}
    used = [name for name in dict.fromkeys(name for name, _ in COLUMN.findall(says.words)) if name in says.columns]
    same = {name: says.columns[name] for name in used if np.ndim(says.columns[name]) == 0}
    names = [name for name in used if name not in same]
    places = {"x": "x", "y": "y", "value": value} | {name: f"customdata[{at}]" for at, name in enumerate(names)}

    def placed(found: re.Match[str]) -> str:
        name, form = found[1], found[2] or ""
        if name in same:
            return escaped(format(same[name], form[1:])).replace("{", "&#123;")
        return f"%{{{places[name]}{form}}}"

    words = COLUMN.sub(placed, escaped(says.words))
    template = {"hovertemplate": words.replace("\n", "<br>") + "<extra></extra>"}
    return template | ({"customdata": _columns(says.columns, names, shape)} if names else {})


def _columns(columns: Mapping[str, Any], names: Sequence[str], shape: tuple[int, ...]) -> Any:
    arrays = [np.broadcast_to(np.asarray(columns[name]), shape) for name in names]
    if all(array.dtype.kind in "iuf" for array in arrays):
        return packed(np.stack(arrays, axis=-1))
    plain = np.vectorize(lambda value: escaped(value) if isinstance(value, str) else value, otypes=[object])
    listed = [plain(array.astype(object)) for array in arrays]
    return np.stack(listed, axis=-1).tolist()


def gaps(says: Says, cells: tuple[int, int]) -> NDArray[np.float32]:
    """0 at each cell, NaN where there is nothing to be said of it."""
    numbers = [it for it in map(np.asarray, says.columns.values()) if it.dtype.kind == "f"]
    return sum((np.broadcast_to(0 * it, cells) for it in numbers), np.zeros(cells, np.float32))


def spec_of(words: str) -> Spec:
    return {"hovertemplate": lines(words) + "<extra></extra>"} if words else {"hoverinfo": "skip"}


def packed(values: NDArray[Any]) -> Spec:
    """An array by its bytes, as Plotly's own JSON has it."""
    array = np.asarray(values)
    array_ = array.astype(np.int32 if array.dtype.kind in "iub" else np.float32, copy=False)
    shape = {"shape": ", ".join(map(str, array_.shape))} if array_.ndim > 1 else {}
    data = base64.b64encode(np.ascontiguousarray(array_).tobytes()).decode()
    return {"dtype": "i4" if array_.dtype.kind == "i" else "f4", "bdata": data} | shape


def lines(text: str) -> str:
    return escaped(text).replace("\n", "<br>")


def escaped(text: str) -> str:
    """Untrusted text with its HTML escaped: Plotly would draw `<b>` and `<a href>` in it."""
    return escape(text, quote=False)
