"""The count line of a page: shape in and out, parameters here, so far and in all; a click opens the formulas."""

import re
from functools import lru_cache
from html import escape

import streamlit as st

from vitviz import counts
from vitviz.config import ViTConfig
from vitviz.counts import Item
from vitviz.counts.count_line import count_symbols
from vitviz.counts.formula import MEANINGS
from vitviz.numbers import exact

DRAWN = "count line"


def draw(config: ViTConfig, stage: str, layer: int, key: str) -> None:
    """The line, always in the same place; it opens in the browser and asks the server for nothing.

    What holds it open stands apart from the numbers, so that it stays open while they change.
    """
    with st.container(key=f"count-line-{key}", gap=None):
        st.html('<input type="checkbox" id="count-open" aria-label="Show the formulas of this stage">')
        st.session_state[DRAWN] = st.html(_line(config, stage, layer)), stage, layer


def follow(config: ViTConfig) -> None:
    """Draw the line of this run's page again, for sizes that the page tries in place of the model's own."""
    line, stage, layer = st.session_state[DRAWN]
    line.html(_line(config, stage, layer))


@lru_cache(maxsize=1024)
def _line(config: ViTConfig, stage: str, layer: int) -> str:
    line = counts.count_line(config, stage, layer)
    before, here = counts.count_terms(config, stage, layer)
    return (
        f'<div class="count-line"><label for="count-open">{numbers(config, stage, layer)}'
        + '<span class="open">formula</span></label><section>'
        + f"<table>{_sum('Before this stage', before)}{_sum('Here', here)}</table>"
        + ("" if here else "<p>This stage has no parameters: it only moves numbers.</p>")
        + f"<p>{_where(config, f'{line.axes_in} {line.axes_out}', (*before, *here))}</p></section></div>"
    )


def numbers(config: ViTConfig, stage: str, layer: int) -> str:
    """The line as HTML, without what opens it."""
    line = counts.count_line(config, stage, layer)
    return (
        _shape(line.axes_in, line.shape_in)
        + '<span class="arrow">→</span>'
        + _shape(line.axes_out, line.shape_out)
        + (_count("parameters here", line.here) + _count("so far", line.so_far)) * (line.here != line.total)
        + _count("parameters in all" if line.here == line.total else "in all", line.total)
    )


def _shape(axes: str, shape: tuple[int, ...]) -> str:
    return f'<span class="shape"><b>{" × ".join(map(exact, shape))}</b><small>{escape(axes)}</small></span>'


def _count(label: str, count: int) -> str:
    return f'<span class="count"><b>{exact(count)}</b><small>{label}</small></span>'


def _sum(name: str, items: tuple[Item, ...]) -> str:
    """The items as rows under `name`, with their sum."""
    if not items:
        return ""
    rows = "".join(
        f"<tr><td>{escape(it.name)}</td><td>{it.formula} = {it.numbers}</td><td>{exact(it.count)}</td></tr>"
        for it in items
    )
    total = exact(sum(item.count for item in items))
    return f"<tbody>{rows}<tr><th scope='row'>{name}</th><th></th><th>{total}</th></tr></tbody>"


def _where(config: ViTConfig, axes: str, items: tuple[Item, ...]) -> str:
    """What each symbol that occurs stands for, with its number: "t tokens = 197"."""
    numbers = count_symbols(config)
    used = set(re.findall(r"[a-z]+", " ".join([axes, *(item.formula for item in items)])))
    return ", ".join(f"<b>{it}</b> {MEANINGS[it]} = {exact(numbers[it])}" for it in MEANINGS if it in used)
