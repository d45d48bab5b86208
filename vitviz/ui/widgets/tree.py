"""The layer table as a tree that folds in the browser."""

import re
from collections.abc import Sequence
from html import escape

import streamlit as st

from vitviz.counts import Node
from vitviz.numbers import exact, many

BLOCK = re.compile(r"blocks\.\d+\.")


def tree(nodes: Sequence[Node]) -> None:
    """All modules; the first block stands open, the others are alike."""
    st.html(f'<div class="tree">{"".join(_branch(node, opened=node.name == "blocks") for node in nodes)}</div>')


def within_block(module: str) -> str:
    """The name of a module without its block: alike in all blocks."""
    return BLOCK.sub("", module)


def _branch(node: Node, opened: bool) -> str:
    if not node.parts:
        return f"<p>{_line(node)}</p>"
    parts = "".join(_branch(part, opened=part.name == "0") for part in node.parts)
    return f"<details{' open' if opened else ''}><summary>{_line(node)}</summary>{parts}</details>"


def _line(node: Node) -> str:
    row = node.row
    kind, shape = (row.name.rpartition("-")[0], str(list(row.shape))) if row else (many(len(node.parts), "block"), "")
    lights = f' data-row="{escape(within_block(row.module))}"' if row else ""
    name = f"<b>{escape(node.name)}</b> <small>{kind}</small>"
    return f"<span{lights}>{name}</span><span>{shape}</span><span>{exact(node.parameters)}</span>"
