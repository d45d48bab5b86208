"""The layer table as a tree that folds in the browser."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from vitviz.counts.tree import Node
from vitviz.numbers import exact


def tree(nodes: Sequence[Node]) -> None:
    """All modules; the first block stands open, the others are alike."""
    st.html(f'<div class="tree">{"".join(_branch(node, opened=node.name == "blocks") for node in nodes)}</div>')


def _branch(node: Node, opened: bool) -> str:
    if not node.parts:
        return f"<p>{_line(node)}</p>"
    parts = "".join(_branch(part, opened=part.name == "0") for part in node.parts)
    return f"<details{' open' if opened else ''}><summary>{_line(node)}</summary>{parts}</details>"


def _line(node: Node) -> str:
    row = node.row
    kind, shape = (row.name.rpartition("-")[0], str(list(row.shape))) if row else (f"{len(node.parts)} blocks", "")
    name = f"<b>{escape(node.name)}</b> <small>{kind}</small>"
    return f"<span>{name}</span><span>{shape}</span><span>{exact(node.parameters)}</span>"


CSS = """
.tree { overflow-x: auto; font-variant-numeric: tabular-nums }
.tree details > * { margin-left: 1.3rem }
.tree details > summary { margin-left: 0; cursor: pointer }
.tree summary::before { content: "▸ " }
.tree details[open] > summary::before { content: "▾ " }
.tree summary { list-style: none }
.tree summary::-webkit-details-marker { display: none }
.tree summary, .tree p { display: flex; gap: 1rem; margin-block: 0; padding: .22rem 0; min-width: 32rem;
  border-bottom: 1px solid color-mix(in srgb, currentColor 18%, transparent) }
.tree span:nth-of-type(2) { margin-left: auto }
.tree span:last-child { min-width: 8rem; text-align: right }
.tree small { font-size: .85rem }
@media (max-width: 640px) {
  .tree summary, .tree p { min-width: 0 }
  .tree span:nth-of-type(2) { display: none }
  .tree span:last-child { margin-left: auto }
}
"""
