"""The model of photographs has no head: what a page offers of it comes all the same, at each of its moments."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import ask, healthy, shown, trace, visit
from tests.pages.takeaway.test_asking import numbers, offered, told
from tests.pages.takeaway.test_every_entry import pictures
from tests.pages.test_every_page import HEADLESS
from tests.unit.takeaway.opening import opened
from vitviz.measures.attention import attention_row, class_attention
from vitviz.measures.classes import answer, result
from vitviz.pages import ON_BOARD, PAGES
from vitviz.takeaway.file import File

pytestmark = pytest.mark.usefixtures("few")
ASKS_THE_HEAD = ("resolution", "chance", "gradients")
FILES = ("png", "npz", "notebook", "cite")
# A chapter's notebook is the same on each of its pages: of the large model it is asked of one, of a small one of all.
FIRST = {PAGES[stem].chapter: stem for stem in reversed((*ON_BOARD, *ASKS_THE_HEAD))}


def photographs(stem: str, **words: str) -> AppTest:
    return healthy(visit(stem, model="photo", sample="tabby", **words))


def all_come(app: AppTest, key: str, files: list[str], served: list[File]) -> None:
    """Every file that is offered comes, and is whole."""
    for what in files:
        (said,) = told(healthy(ask(app, take=f"{key}.{what}.bare.1")))
        assert "says" not in said, f"{what}: {said['says']}"
        opened(what, served[-1])


@pytest.mark.parametrize("stem", ON_BOARD)
def test_what_a_scene_offers_comes_at_every_moment(stem: str, served: list[File]) -> None:
    app = photographs(stem)
    files = offered(app)
    if "chapter" in files and stem not in FIRST.values():
        files.remove("chapter")
        all_come(healthy(visit(stem, **HEADLESS)), stem, ["chapter"], served)
    all_come(app, stem, files, served)
    for moment in range(2, len(ON_BOARD[stem].moments(shown(app).config)) + 1):
        ask(app, moment=str(moment))
        all_come(app, stem, [what for what in offered(app) if what in FILES], served)


@pytest.mark.parametrize("stem", ASKS_THE_HEAD)
def test_a_page_that_asks_the_head_offers_no_numbers_of_it(stem: str, served: list[File]) -> None:
    app = photographs(stem)
    for it in pictures(app):
        assert "notebook" not in it["files"]
        all_come(app, it["key"], [what for what in it["files"] if what != "chapter"], served)
    assert all("chapter" in it["files"] for it in pictures(app))
    app = healthy(visit(stem, **HEADLESS))
    all_come(app, pictures(app)[0]["key"], ["chapter"], served)


def test_overview_gives_what_is_looked_at_where_there_is_no_answer(served: list[File]) -> None:
    app = photographs("overview", query="100", take="overview.npz.bare.1")
    run = trace(shown(app))
    row = [attention_row(run, layer, 100).mean(axis=0) for layer in range(run.config.depth)]  # after the class token
    np.testing.assert_array_equal(numbers(served[0]), row)
    healthy(ask(app, moment="2", take="overview.npz.bare.2"))
    np.testing.assert_array_equal(numbers(served[1]), class_attention(run).mean(axis=1))


def test_class_head_gives_the_vector_or_what_its_moment_shows(served: list[File]) -> None:
    app = photographs("class_head", moment="2", take="class_head.npz.bare.1")
    run = trace(shown(app))
    np.testing.assert_array_equal(numbers(served[0]), result(run))
    healthy(ask(app, moment="1", take="class_head.npz.bare.2"))
    np.testing.assert_array_equal(numbers(served[1])[-1], answer(run, run.config.depth).stream[0])
