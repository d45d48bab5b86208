"""The list of tensors: axis names that light up together, and rows that lead to the page that shows the tensor."""

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import streamlit as st

from vitviz import palette
from vitviz.counts import TensorRow
from vitviz.counts.formula import MEANINGS
from vitviz.numbers import exact
from vitviz.scripts.bundle import bundle
from vitviz.scripts.lean import lean_script, lean_sheet

FRONTEND = Path(__file__).parent / "frontend"
HEIGHT = 430  # pixels; the list scrolls
HEAD = ("#", "Name", "Axes", "Shape", "Bytes")
AXES = re.compile(r"\([^)]*\)|\S+")
BLOCK = re.compile(r"blocks\.(\d+)\.")
AXIS_MEANINGS = MEANINGS | {"head": "heads", "dh": "components of a head", "q": "query tokens", "k": "key tokens"}

# The page that shows a tensor, by how its name begins; inside a block, without the block.
PAGES = {
    "image": "patch_grid",
    "embed.patches": "patch_grid",
    "patch_embed": "patch_embedding",
    "embed.norm_in": "patch_embedding",
    "embed.projected": "patch_embedding",
    "embed.patch_tokens": "patch_embedding",
    "cls_token": "position_embedding",
    "dist_token": "position_embedding",
    "reg_token": "position_embedding",
    "pos_embed": "position_embedding",
    "embed": "position_embedding",
    "attn.weights": "heads",
    "attn.out": "encoder_block",
    "attn": "query_key_value",
    "norm1": "query_key_value",
    "": "encoder_block",
}
LAST = "class_head"  # whatever comes after the blocks

_mount = st.components.v2.component(
    "vitviz.tensors",
    html="<p></p>\n"
    '<section role="region" tabindex="0"><table><thead><tr>'
    + "".join(f'<th scope="col"{" class=number" if word in HEAD[::4] else ""}>{word}</th>' for word in HEAD)
    + "</tr></thead><tbody></tbody></table></section>",
    css=lean_sheet((FRONTEND / "list.css").read_text(encoding="utf-8")),
    js=lean_script(bundle(FRONTEND / "list.js")),
)


def tensors(rows: Sequence[TensorRow]) -> None:
    """The rows as a list that scrolls."""
    _mount(key="tensors-list", data=_as_data(tuple(rows)))


def local(name: str) -> str:
    """The name of a tensor without its block: alike in all blocks."""
    return BLOCK.sub("", name)


def shown_on(name: str) -> str:
    """The page that shows a tensor, with the layer that it belongs to."""
    block = BLOCK.match(name)
    within = local(name)
    page = next((page for start, page in PAGES.items() if start and within.startswith(start)), "")
    if block:
        return f"{page or PAGES['']}?layer={int(block[1]) + 1}"
    return page or LAST


@lru_cache(maxsize=32)
def _as_data(rows: tuple[TensorRow, ...]) -> dict[str, Any]:
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
