"""What a notebook chooses, and its numbers: those of the server's route, bit for bit, without Streamlit."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from vitviz.images import ImageError
from vitviz.results import asking
from vitviz.samples import samples
from vitviz.selection import FIRST_MODEL, Selection
from vitviz.takeaway.errors import TakeawayError
from vitviz.ui.board import numbers
from vitviz.ui.board.numbers import ROUTES
from vitviz.ui.server.browser_cookie import COOKIE
from vitviz.widget.chosen import SHOWN, Board

WORDS: dict[str, Any] = {"layer": 3, "head": 2, "query": 40, "edits": "h3.1*0 m2*0.5"}


def asked(board: Board) -> str:
    return f"{board.address.partition('?')[2]}&page={board.page}"


@pytest.mark.parametrize("page", SHOWN)
def test_numbers_are_those_of_the_route(page: str) -> None:
    board = Board("demo", "cat", page=page, **WORDS)
    selection = board.selection(board.shown_page, board.words)
    numbers._drawn["ann", selection.digest] = selection
    client = TestClient(Starlette(routes=ROUTES), cookies={COOKIE: "ann"})

    def get(name: str) -> Any:
        words = {**board.words, "page": page, "runs": "server"}
        return client.get(f"/numbers/{selection.digest}/{name}", params=words)

    names = board.numbers_of("", asked(board))
    assert isinstance(names, list)
    assert names[0] == "opening"
    assert names == get("").json()
    for name in names:
        assert board.numbers_of(name, asked(board)) == get(name).content, name
    assert board.numbers_of("of another page", asked(board)) is None
    numbers._answers.clear()


def test_words_count_as_on_screen_and_are_set_one_by_one() -> None:
    board = Board("demo", "cat", layer=3, query=40)
    assert (board.page, board.layer, board.query, board.head, board.moment) == ("heads", 3, "40", 1, "wall")
    board.layer = 5
    board.edits = "h5.2*0"
    assert board.address == "heads?layer=5&query=40&edits=h5.2*0"
    board.page = "depth"
    assert (board.page, board.layer, board.edits) == ("depth", 5, "h5.2*0")


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("layer", 99, "there is no layer 99: they are 1 to 6"),
        ("query", "register", "there is no query register: they are 1 to 144"),
        ("page", "intervene", "a notebook shows no page “intervene”; there are"),
        ("moment", "end", "there is no moment “end”; there are wall, matrix, pair"),
        ("edits", "h9.1*0", "layer 9"),
    ],
)
def test_what_there_is_not_is_refused_and_changes_nothing(name: str, value: Any, sentence: str) -> None:
    board = Board("demo", "cat")
    with pytest.raises(TakeawayError, match=sentence.replace("(", r"\(")):
        setattr(board, name, value)
    assert board.address == "heads"


def test_a_picture_and_a_model_that_are_not_here_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TakeawayError, match="is neither a file nor a sample; samples are"):
        Board("demo", "nobody.png")
    with pytest.raises(TakeawayError, match="there is no model “nothing”"):
        Board("nothing")
    with pytest.raises(TakeawayError, match="nothing is chosen by “layr”; there are layer, head"):
        Board("demo", layr=3)
    (tmp_path / "words.png").write_text("no picture")
    with pytest.raises(ImageError):
        Board("demo", tmp_path / "words.png").numbers_of("opening", "page=heads")


def test_a_file_of_ones_own_is_shown_as_the_sample_is(tmp_path: Path) -> None:
    path = tmp_path / "mine.png"
    path.write_bytes(samples()["cat"].data)
    mine, sample = Board("demo", path), Board("demo", "cat")
    assert mine.numbers_of("maps-3", "page=heads") == sample.numbers_of("maps-3", "page=heads")
    assert mine.explorer.picture == "mine.png"


def test_elsewhere_it_is_one_file_in_a_frame(tmp_path: Path) -> None:
    board = Board("demo", "cat", layer=4, head=2, query=40)
    start = board.explorer.start
    assert (start.layer, start.head, start.query) == (3, 1, 40)
    assert board._repr_html_().startswith("<iframe srcdoc=")
    board.page = "depth"
    board.moment = board.shown_page.moment_names(board.config)[-1]
    assert "moment=" in board.address
    assert board.explorer.start == start
    assert "Cat" in board.save(tmp_path / "cat.html").read_text(encoding="utf-8")


def test_nothing_of_it_needs_streamlit() -> None:
    code = """
import sys
from vitviz.widget.chosen import SHOWN, Board
board = Board("demo", "cat")
for page in SHOWN:
    board.page = page
    for name in board.numbers_of("", f"page={page}"):
        assert board.numbers_of(name, f"page={page}")
assert "streamlit" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_selection_is_the_apps() -> None:
    board = Board("demo", "left")
    assert board.selection(board.shown_page, {}) == Selection(FIRST_MODEL, samples()["left"])


def test_an_app_that_is_imported_and_not_started_answers_nothing() -> None:
    assert isinstance(asking._asks, asking.Here)


def test_a_model_of_photographs_reads_pictures_of_another_size() -> None:
    board = Board("photo", "tabby", page="what_a_token_knows", size=448, moment="colours")
    assert board.config.grid == (32, 32)
    assert "colours-here" in (board.numbers_of("", f"page=what_a_token_knows&{board.address.partition('?')[2]}") or ())
    with pytest.raises(TakeawayError, match="447"):
        Board("photo", size=447)
    with pytest.raises(TakeawayError, match="demo reads pictures of one size; those of another are for photo"):
        Board("demo", size=448)
