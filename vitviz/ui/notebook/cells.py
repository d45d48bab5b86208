"""The notebook on screen: a scroll of cells, each of which is computed when it comes into sight."""

from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Any

import streamlit as st

from vitviz.addresses.place import read_place
from vitviz.figures.figure import Numbers
from vitviz.images import digest
from vitviz.numbers import exact, small
from vitviz.page import Page
from vitviz.pages import GATHERS, PAGES
from vitviz.results import requests
from vitviz.scripts.bundle import script_of, sheet_of
from vitviz.selection import Selection
from vitviz.takeaway.calculations import calculation_of
from vitviz.takeaway.notebook import scroll
from vitviz.takeaway.notebook.notebook import lines
from vitviz.ui import page
from vitviz.ui.components import Code, component
from vitviz.ui.links import check_choice, escaped
from vitviz.ui.server.client import engine, leave, look
from vitviz.ui.takeaway import views
from vitviz.ui.takeaway.figure import take_away
from vitviz.ui.takeaway.file_requests import sentence_of
from vitviz.ui.widgets import count_line
from vitviz.ui.widgets.table import table
from vitviz.view import View

if TYPE_CHECKING:
    from vitviz.engine import Request

WANTED = "cells wanted"  # in the session: what each cell was asked for last
CHECKED = "chapter checked"  # and the chapter of the link, of which it is said once that there is none
ENDS, MORE = (6, 4), "…"  # rows and columns that are shown of each end of a table, and what stands for those between


def draw(entry: Page, selection: Selection) -> None:
    """All cells of the chapter that the address names, or of the whole walk, behind what moves them."""
    choice, _ = entry.choices
    chapters: dict[str, tuple[Page, ...]] = choice.few({}, None)
    whole, chapter = next(iter(chapters)), st.query_params.get(choice.word, "")
    if st.session_state.get(CHECKED) != chapter:
        check_choice(choice.word, chapters, ", ".join(chapters))
    st.session_state[CHECKED] = chapter
    chapter = chapter if chapter in chapters else whole
    column = _cells(chapters[chapter], selection)
    with st.container(key="cells-top", gap=None):
        st.html(f"<style>{_sheet()}</style>")
        _controls(key="cells-controls", data=[_message(chapter, chapters, selection, column)])
        files = {"notebook": lambda: views.file_of("notebook", column, selection)}
        take_away(entry.stem, entry.title, files, own=views.is_own(selection))
    for stem, its in groupby(column, key=lambda it: it.page):
        _head(PAGES[stem], selection)
        for view in its:
            _cell(view, selection)


def _cells(pages: Sequence[Page], selection: Selection) -> tuple[View, ...]:
    place, _ = read_place(st.query_params.to_dict(), selection.config)
    stems = [it.stem for it in pages]
    return views.cells_of(stems, views.view_of(stems[0], selection, place, st.query_params.get("shows", "")))


def _message(
    chapter: str, chapters: Mapping[str, Sequence[Page]], selection: Selection, shown: Sequence[View]
) -> dict[str, Any]:
    config = selection.config
    place, _ = read_place(st.query_params.to_dict(), config)
    word_of_cell = st.query_params.get("cell", "").split(".")
    cell = next((_name(it) for it in shown if it.page == word_of_cell[0] and _has(it, word_of_cell[-1])), "")
    return {
        "chapter": chapter,
        "chapters": [
            (word, pages[0].chapter if at else "Whole walk") for at, (word, pages) in enumerate(chapters.items())
        ],
        "layer": [place.layer, config.depth],
        "head": [place.head, config.heads],
        "query": [place.query, config.tokens],
        "tokens": config.prefix_tokens,
        "columns": config.grid[1],
        "cell": cell or next((_name(it) for it in shown if it.page == word_of_cell[0]), ""),
    }


def _has(view: View, moment: str) -> bool:
    return any(it.name == moment for it in scroll.moments_of(view))


def _name(view: View) -> str:
    """What a cell is called on the page."""
    first = next(iter(scroll.moments_of(view)), None)
    return f"{view.page}.{first.name}" if first else view.page


def _head(entry: Page, selection: Selection) -> None:
    """The title of a page, which leads to it, and its count line."""
    place, _ = read_place(st.query_params.to_dict(), selection.config)
    line = count_line.numbers(selection.config, entry.stage, place.layer) if entry.stage else ""
    count = f'<div class="count-line"><label>{line}</label></div>' if line else ""
    title = f'<h2><a href="{escape(page.address(entry.stem))}">{escape(entry.title)}</a></h2>'
    st.html(f'<div class="cell-head">{title}{count}</div>')


def _cell(view: View, selection: Selection) -> None:
    name = _name(view)
    with st.container(key=f"cell-{name.replace('.', '-')}"):
        code, out = st.columns((5, 7), gap="medium")
        with code:
            st.html(f'<div class="cell-says" data-name="{escape(name)}">{_sentences(view, selection)}</div>')
            st.code(lines(view), language="python", wrap_lines=True)
        with out:
            _output(view, selection, name)


def _sentences(view: View, selection: Selection) -> str:
    """What its moments say, each of which leads to it; of a page without moments what its numbers are."""
    entry, says, untrained = PAGES[view.page], calculation_of(view).says, selection.model.untrained
    sentences = {page.address(view.page): f"{says[0].upper()}{says[1:]}."}
    if moments := scroll.moments_of(view):
        links = (page.address(view.page, moment=it.name) for it in moments)
        sentences = dict(zip(links, (entry.headline(it, view.config, untrained) for it in moments), strict=True))
    written = ((escape(link), page.with_roles(escape(sentence))) for link, sentence in sentences.items())
    return "".join(f'<p><a href="{link}">{sentence}</a></p>' for link, sentence in written)


@st.fragment
def _output(view: View, selection: Selection, name: str) -> None:
    """What comes out of a cell that was in sight, or what came out of it before something else was chosen."""
    wanted: dict[str, Request[scroll.Output]] = st.session_state.setdefault(WANTED, {})
    request = _request(scroll.used(view), selection)
    before, state, says = wanted.get(name), "wanted", ""
    if before and before.key == request.key:
        try:
            found = look(request, name)
        except Exception as error:
            if not (sentence := sentence_of(error)):
                raise
            st.warning(f"{escaped(sentence)}.")
            state = "there"
        else:
            state, says = ("waits", found) if isinstance(found, str) else ("there", "")
            if not isinstance(found, str):
                _draw(found.value, view, selection, name)
    else:
        leave(name)
        if before and (cached := engine().cached(before)):
            with st.container(key=f"before-{name.replace('.', '-')}"):
                _draw(cached.value, view, selection, name)
    _sight()(
        key=f"sight {name}",
        data={"state": state, "says": says, "key": digest(request.key.encode())[:16], "page": GATHERS.address},
        on_near_change=lambda: wanted.update({name: request}),
    )


def _draw(output: scroll.Output, view: View, selection: Selection, name: str) -> None:
    title, says = PAGES[view.page].title, escaped(output.says)  # which may name classes of a file
    if output.figure is None:
        _table(title, output.numbers)
        st.caption(says)
    elif calculation_of(view).pictured:
        page.picture(selection, output.figure, says, title=title, key=f"cell {name}")
    else:
        page.drawing(output.figure, says, title=title, key=f"cell {name}")


def _table(title: str, numbers: Numbers) -> None:
    """Numbers as a table: of many, the first and the last."""
    shape = numbers.values.shape
    named = [numbers.names.get(axis) or range(1, many + 1) for axis, many in zip(numbers.axes, shape, strict=True)]
    down, across = named[0], named[1] if len(named) > 1 else ["value"]
    values = numbers.values.reshape(len(numbers.values), -1)
    written = exact if values.dtype.kind == "i" else small
    rows, columns = (_ends(many, ends) for many, ends in zip(values.shape, ENDS, strict=True))

    def cell(row: int | None, at: int | None) -> str:
        return MORE if row is None or at is None else written(values[row, at].item())

    def name(names: Sequence[object], at: int | None) -> str:
        return MORE if at is None else str(names[at])

    lines = [[name(down, row), *(cell(row, at) for at in columns)] for row in rows]
    table(title, [numbers.axes[0], *(name(across, at) for at in columns)], lines)


def _ends(many: int, ends: int) -> list[int | None]:
    return list(range(many)) if many <= 2 * ends + 1 else [*range(ends), None, *range(many - ends, many)]


def _request(view: View, selection: Selection) -> "Request[scroll.Output]":
    """What computes a cell, where the model is."""
    from vitviz.engine import Request

    its = calculation_of(view)
    if not its.pictured:
        return Request(scroll.output, (view,))
    selection = selection if view.edits else selection.plain
    model, picture = requests.load_request(selection.model), requests.decode_request(selection.picture)
    plain, forward = requests.forward_request(selection.plain), requests.forward_request(selection)
    return Request(
        scroll.output,
        (view, model, picture, plain, forward),
        keeps_alive=(model,),
        takes_long=forward.takes_long or its.printed is None,
    )


def _controls_code() -> Code:
    return Code(script_of("doors/notebook/top.js"), css=sheet_of("doors/notebook/top.css"))


_controls = component("vitviz.cells", _controls_code)


@cache
def _sight() -> Any:
    """What tells Python that a cell has come into sight; made when the first is drawn."""
    js, css = script_of("doors/notebook/sight.js"), sheet_of("doors/notebook/sight.css")
    return st.components.v2.component("vitviz.sight", html='<p role="status"></p>', css=css, js=js)


@cache
def _sheet() -> str:
    return sheet_of("doors/notebook/cells.css")
