"""What stands on *Layer table*."""

import re
from collections.abc import Sequence
from html import escape

import streamlit as st

from vitviz import counts
from vitviz.counts import Node
from vitviz.figures.counting import counts as charts
from vitviz.numbers import bytes_, exact, many
from vitviz.selection import Selection
from vitviz.ui import controls, page
from vitviz.ui.widgets import count_line
from vitviz.ui.widgets.table import text

from .page import SHOWN_AS

COLOURED = {"class token": "{class token}", "position embedding": "{position} embedding"}
HEAD = 3  # lines of the text above its first row
BLOCK = re.compile(r"blocks\.\d+\.")


def show(selection: Selection) -> None:
    _, modules, _ = counts.conventions(selection.config)
    unseen = [COLOURED.get(it.name, it.name) for it in modules.missing if it.count]
    named = f"the {', the '.join(unseen[:-1])} and the {unseen[-1]}" if len(unseen) > 1 else f"the {', '.join(unseen)}"
    page.sentence(
        "This is what **torchsummary** prints: it walks from module to module, one row per call, with the shape that "
        "comes out (−1 is the batch). What belongs to no module it cannot see: "
        f"{named if unseen else 'of this model there is nothing of the kind'}."
    )
    left, right = st.columns([2, 3], vertical_alignment="bottom")
    with left:
        config = controls.classes(selection.config)
    count_line.follow(config)
    with right:
        form = controls.draw(SHOWN_AS, config)
    rows, memory = counts.layer_table(config), counts.layer_table_memory(config)
    block = [row for row in rows if row.module.startswith("blocks.0.")]
    size = sum(8 * row.outputs for row in block)
    left, right = st.columns([13, 10])
    with left:
        if form == "Text":
            places = enumerate(rows, start=HEAD)
            text(
                "The layer table", counts.layer_table_text(config), {at: within_block(row.module) for at, row in places}
            )
        else:
            tree(counts.layer_tree(rows))
    with right:
        page.chart(
            charts.sizes(
                [(f"{row.name} {within_block(row.module)}", str(list(row.shape)), 8 * row.outputs) for row in block],
                [within_block(row.module) for row in block],
            ),
            "Forward/backward, row by row",
            f"Forward/backward, row by row for the first block: {exact(size)} bytes, every result counted twice, for "
            "its value and its gradient. Identities and dropouts count too, though they store nothing new: the summary "
            "overestimates.",
            "layers",
        )
    total = sum(row.parameters for row in rows)
    left, right = st.columns([3, 1], vertical_alignment="center")
    left.caption(
        f"{exact(len(rows))} rows, {exact(total)} parameters; the model has {exact(counts.total_parameters(config))}. "
        + ("A click on the text selects all of it, ready to copy." if form == "Text" else "")
    )
    right.download_button(
        "Download as CSV",
        counts.csv_text(rows),
        f"{selection.model.name}-layers.csv",
        on_click="ignore",
        width="stretch",
    )

    lines = {"Input": memory.input, "Forward/backward": memory.forward_backward, "Parameters": memory.parameters}
    for column, (name, mebibytes) in zip(st.columns(4), (lines | {"Total": memory.total}).items(), strict=True):
        column.metric(f"{name} (MB)", f"{mebibytes:,.2f}")
    st.caption(
        f"As such a summary prints them: its MB are MiB, 2²⁰ bytes. {memory.parameters:,.2f} of them are "
        f"{bytes_(4 * total)} as everywhere else here, in powers of ten."
    )
    page.formula(
        r"\text{forward/backward} = \frac{2 \cdot 4 \cdot \text{numbers in all results}}{2^{20}}",
        rf"\frac{{8 \cdot {exact(sum(row.outputs for row in rows))}}}{{1,048,576}} = {memory.forward_backward:.2f}",
    )
    page.source(counts.layer_table, counts.layer_table_memory, counts.layer_tree)


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
