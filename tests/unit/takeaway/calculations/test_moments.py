"""Every moment names its numbers: they are a cell, a file and a figure or table, and the board is given the same."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.unit.takeaway.calculations.links import CHOSEN, SIZES
from tests.unit.takeaway.calculations.test_scroll import passed
from vitviz.addresses.place import read_place
from vitviz.board import scene
from vitviz.board.address import read_words
from vitviz.pages import ON_BOARD, PAGES
from vitviz.samples import samples
from vitviz.scripts.parcels import Arrays
from vitviz.selection import ModelChoice, Selection
from vitviz.takeaway.calculations import CALCULATIONS, calculation_of, is_shown, values
from vitviz.takeaway.data import about, csv, named, npz
from vitviz.takeaway.figures.drawing import sheet
from vitviz.takeaway.notebook.notebook import notebook
from vitviz.takeaway.notebook.scroll import cells, moments_of, output
from vitviz.takeaway.opening import opened
from vitviz.takeaway.view import from_link, words_of
from vitviz.view import View
from vitviz.weights import Loaded

MODELS = [f"sample=fish&query=6&{SIZES}{more}" for more in ("&layer=2&head=2", "&classes=0", "&heads=1&depth=1")]
# The board is given factors, which a browser multiplies, or runs the model itself: other tests hold it to Python.
MADE_THERE = (
    *(("query_key_value", moment) for moment in ("scores", "softmax", "values")),
    *(("intervene", moment) for moment in ("everything", "tracing")),
)
COUNTED = ("patch_grid", "sizes")  # which the board is told as words
EVERY = [(page.stem, moment.name) for page in PAGES.values() for moment in page.all_moments]
PARCELS = [it for it in EVERY if it not in (*MADE_THERE, COUNTED, ("class_head", "result"))]


def test_every_moment_of_the_app_names_its_numbers() -> None:
    assert [it for it in EVERY if (its := PAGES[it[0]].moment(it[1])) is None or its.numbers is None] == []


@pytest.mark.parametrize("words", MODELS)
def test_every_moment_has_a_cell_data_and_a_figure_or_table(words: str) -> None:
    first = from_link(f"heads?{words}", CALCULATIONS)
    pages = [PAGES[stem] for stem in ON_BOARD]
    shown = cells(pages, first, read_place(words_of(f"heads?{words}")[1], first.config)[0], words_of(f"?{words}")[1])
    in_cells = [(view.page, moment.name) for view in shown for moment in moments_of(view)]
    assert sorted(in_cells) == sorted((it.stem, name) for it in pages for name in it.moment_names(first.config))
    begun = opened(first)
    for view in shown:
        its = calculation_of(view)
        it = opened(view, loaded=begun.loaded) if its.pictured else view
        arrays = named(it) if isinstance(it, View) else named(view, it.trace, it.loaded, it.picture)
        assert csv(arrays, about(it))
        assert npz(arrays, about(it))
        run = None if isinstance(it, View) else passed(it)
        out = output(view, begun.loaded, begun.picture, run, run)
        assert out.numbers.values.size
        assert out.figure or 0 < out.numbers.values.ndim <= 2, "a table has rows and columns"
        assert bool(its.printed) <= (is_shown(view) or its.figure is not None), "a notebook draws what is printed"
        if its.printed and not isinstance(it, View):
            assert sheet(it)
        assert its.says in notebook(it).replace(its.says[0].upper() + its.says[1:], its.says)


def decoded(arrays: Arrays) -> Iterator[tuple[Any, float]]:
    """The arrays of a parcel, and how far each may be off: weights of one byte are shares of their squares."""
    for array in map(np.asarray, arrays.values()):
        if array.dtype == np.uint8 and array.ndim > 1:
            squares = array.astype(np.float32) ** 2
            yield squares / np.maximum(squares.sum(axis=-1, keepdims=True), 1), 0.01
        elif array.ndim:
            yield array, 1e-5


def holds(parcels: list[tuple[Any, float]], row: Any) -> bool:
    """Whether a row stands along one of the axes of an array."""
    return any(
        np.isclose(np.moveaxis(array, axis, -1).reshape(-1, len(row)), row, rtol=1e-4, atol=off).all(axis=-1).any()
        for array, off in parcels
        for axis in range(array.ndim)
        if array.shape[axis] == len(row)
    )


@pytest.mark.parametrize(("page", "moment"), PARCELS)
def test_the_board_is_given_the_numbers_of_the_moment(page: str, moment: str, demo: Loaded) -> None:
    link = f"{page}?{CHOSEN}&moment={moment}"
    view = from_link(link, CALCULATIONS)
    selection = Selection(ModelChoice("demo", view.config), samples()["fish"])
    asked = words_of(link)[1] | {"runs": "server"}  # where a browser would run the model itself
    given = scene.parcels(PAGES[page], selection, read_words(asked, view.config, page))
    parcels = [it for _, make in given for it in decoded(make())]
    numbers = values(view, opened(view, loaded=demo).trace, demo)
    rows = numbers.reshape(-1, numbers.shape[-1])
    ways = [rows, rows.T] + ([rows.reshape(-1, 1)] if len(rows) == 1 else [rows.reshape(1, -1)])
    assert any(all(holds(parcels, row) for row in way) for way in ways)
