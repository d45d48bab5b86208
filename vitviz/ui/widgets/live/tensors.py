"""The list of tensors: axis names that light up together, and rows that lead to the page that shows the tensor."""

import re
from collections.abc import Sequence
from functools import lru_cache

import streamlit as st

from vitviz import palette
from vitviz.counts import TensorRow
from vitviz.counts.formula import MEANINGS
from vitviz.messages import TensorData
from vitviz.numbers import exact
from vitviz.pages import PAGES
from vitviz.scripts.bundle import script_of, sheet_of

HEIGHT = 430  # pixels; the list scrolls
HEAD = ("#", "Name", "Axes", "Shape", "Bytes")
AXES = re.compile(r"\([^)]*\)|\S+")
BLOCK = re.compile(r"blocks\.(\d+)\.")
AXIS_MEANINGS = MEANINGS | {"head": "heads", "dh": "components of a head", "q": "query tokens", "k": "key tokens"}

SHOWN = {start: page.stem for page in PAGES.values() for start in page.tensors}

_mount = st.components.v2.component(
    "vitviz.tensors",
    html="<p></p>\n"
    '<section role="region" tabindex="0"><table><thead><tr>'
    + "".join(f'<th scope="col"{" class=number" if word in HEAD[::4] else ""}>{word}</th>' for word in HEAD)
    + "</tr></thead><tbody></tbody></table></section>",
    css=sheet_of("doors/live/list.css"),
    js=script_of("doors/live/list.js"),
)


def tensors(rows: Sequence[TensorRow]) -> None:
    """The rows as a list that scrolls."""
    _mount(key="tensors-list", data=[_as_data(tuple(rows))])


def local(name: str) -> str:
    """The name of a tensor without its block: alike in all blocks."""
    return BLOCK.sub("", name)


def shown_on(name: str) -> str:
    """The page that shows a tensor, with the layer that it belongs to."""
    block, alike = BLOCK.match(name), BLOCK.sub("blocks.", name)
    page = SHOWN[max(filter(alike.startswith, SHOWN), key=len)]
    return f"{page}?layer={int(block[1]) + 1}" if block else page


@lru_cache(maxsize=32)
def _as_data(rows: tuple[TensorRow, ...]) -> TensorData:
    return {
        "rows": [
            {
                "place": str(row.place),
                "name": row.name,
                "axes": AXES.findall(row.axes),
                "shape": list(map(exact, row.shape)),
                "bytes": exact(row.bytes),
                "kind": row.kind,
                "page": shown_on(row.name),
                "light": local(row.name),
            }
            for row in rows
        ],
        "alt": f"{len(rows)} tensors with name, axes, shape and bytes",
        "height": HEIGHT,
        "chosen": palette.FRAME,
        "meanings": AXIS_MEANINGS,
    }
