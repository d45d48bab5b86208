"""The cells of a notebook: of every page that has numbers, in the order of its moments, on screen and in the file."""

from dataclasses import replace

import nbformat
import numpy as np
import pytest

from tests.unit.takeaway.calculations.links import SMALL
from vitviz.addresses.place import read_place
from vitviz.figures.live import message
from vitviz.forward import Forward
from vitviz.pages import CHAPTERS, PAGES
from vitviz.palette import without_roles
from vitviz.takeaway.calculations import CALCULATIONS, calculation_of, values
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.notebook.notebook import lines, notebook, source
from vitviz.takeaway.notebook.scroll import cells, moments_of, output, sentences_of, used
from vitviz.takeaway.opening import Opened, opened
from vitviz.takeaway.view import from_link, words_of
from vitviz.view import View

DEMO = "sample=fish&layer=4&head=2&query=60"


def walk(chapter: str = "", words: str = DEMO) -> tuple[View, ...]:
    view = from_link(f"heads?{words}", CALCULATIONS)
    asked = words_of(f"heads?{words}")[1]
    pages = CHAPTERS[chapter] if chapter else PAGES.values()
    return cells(pages, view, read_place(asked, view.config)[0], asked)


def passed(it: Opened) -> Forward:
    forward = object.__new__(Forward)
    object.__setattr__(forward, "trace", it.trace)
    return forward


@pytest.mark.parametrize("model", ["demo", "photo", "vit_tiny_patch16_224"])
def test_every_page_with_numbers_has_cells_in_the_order_of_the_walk(model: str) -> None:
    shown = walk(words=f"model={model}")
    assert list(dict.fromkeys(it.page for it in shown)) == list(CALCULATIONS)
    for page in CALCULATIONS:
        its = [it for it in shown if it.page == page]
        moments = PAGES[page].moment_names(its[0].config)
        assert sorted(it.name for view in its for it in moments_of(view)) == sorted(moments)
        firsts = [moments_of(view)[0].name for view in its if moments]
        assert firsts == sorted(firsts, key=moments.index)
        assert len({id(calculation_of(view)) for view in its}) == len(its), "each makes numbers of its own"


@pytest.mark.parametrize("chapter", ["Tokens", "Attention"])
def test_the_file_holds_the_cells_of_the_screen_in_their_order(chapter: str) -> None:
    shown = walk(chapter)
    first = opened(shown[0])
    text = notebook(*(opened(view, loaded=first.loaded) for view in shown))
    written = nbformat.reads(text, as_version=4).cells
    openings = [cell.source for cell in written if cell.cell_type == "markdown" and cell.source.startswith("# ")]
    assert len(openings) == len(shown)
    for opening, view in zip(openings, shown, strict=True):
        assert opening.startswith(f"# {PAGES[view.page].title}\n\n")
        assert all(sentence in opening for sentence in sentences_of(view))
        headlines = [PAGES[view.page].headline(it, view.config) for it in moments_of(view)]
        assert sentences_of(view) == list(map(without_roles, headlines))
        assert any(source(calculation_of(view).make) in cell.source for cell in written)
        assert source(calculation_of(view).make) in lines(view)
    made = [cell.source for cell in written if cell.source.endswith("values.shape")]
    assert [view for view in shown if not any(lines(view).splitlines()[-1] in cell for cell in made)] == []


def test_a_cell_makes_the_numbers_of_its_view_and_its_figure() -> None:
    shown = walk("Attention")
    first = opened(shown[0])
    for view in shown:
        out = output(view, first.loaded, first.picture, passed(first), passed(first))
        np.testing.assert_allclose(
            out.numbers.values.ravel(), values(view, first.trace, first.loaded).ravel(), rtol=1e-6
        )
        assert out.figure
        assert message(out.figure)["rows"]
        assert " × ".join(map(str, values(view, first.trace, first.loaded).shape)) in out.says


def test_counts_need_no_model() -> None:
    for view in walk("Counting", SMALL):
        if not calculation_of(view).pictured:
            assert output(view).numbers.values.size


def test_a_cell_without_a_head_says_so() -> None:
    view = next(it for it in walk("Laboratory", "model=photo&sample=tabby") if calculation_of(it).headed)
    with pytest.raises(TakeawayError, match="this model has no head"):
        output(view)


def test_only_cells_that_use_the_layer_are_others_with_another_layer() -> None:
    here, there = walk(), walk(words=DEMO.replace("layer=4", "layer=5"))
    moved = {view.page for view, other in zip(here, there, strict=True) if used(view) != used(other)}
    its = [(view.page, calculation_of(view)) for view in here if view.page != "depth"]  # whose layers are rolled out
    assert moved == {page for page, it in its if it.uses("layer") or "layer" in it.axes.split()}
    assert {"heads", "encoder_block"} <= moved
    assert not moved & {"patch_grid", "parameters", "class_head", "memory"}
    assert all(used(replace(view, key=9, component=3, after=1)) == used(view) for view in here)
