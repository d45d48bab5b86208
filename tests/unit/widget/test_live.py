"""The live board: its traits follow the address and lead it, and the kernel answers with numbers or a sentence."""

from typing import Any

import pytest

from vitviz.engine import BusyError
from vitviz.weights import WeightsError

pytest.importorskip(
    "anywidget", reason="anywidget is not installed here; `make widget-check` installs it and runs these"
)

from traitlets import TraitError

from vitviz.widget import Board
from vitviz.widget.chosen import SHOWN


@pytest.fixture(name="board")
def board_of_a_notebook(monkeypatch: pytest.MonkeyPatch) -> Any:
    board: Any = Board("demo", "cat", page="heads", layer=3)
    board.sent = sent = []
    monkeypatch.setattr(Board, "send", lambda _, content, buffers=(): sent.append((content, list(buffers))))
    return board


def ask(board: Any, name: str) -> tuple[dict[str, Any], list[bytes]]:
    """What the board is answered that asks for a name."""
    words = f"{board.address.partition('?')[2]}&page={board.page}"
    board._handle_custom_msg({"view": "a", "number": 7, "name": name, "words": words}, [])
    answer: tuple[dict[str, Any], list[bytes]] = board.sent.pop()
    return answer


def test_what_is_set_is_shown(board: Any) -> None:
    assert (board.page, board.layer, board.head, board.query, board.edits) == ("heads", 3, 1, "class", "")
    board.layer, board.query = 5, 40
    assert (board.address, board.query) == ("heads?layer=5&query=40", "40")
    board.page = "depth"
    assert (board.address, board.moment) == ("depth?layer=5&query=40", "rollout")


def test_what_is_chosen_on_the_board_is_read(board: Any) -> None:
    told: list[int] = []
    board.observe(lambda change: told.append(change["new"]), "layer")
    board.set_state({"address": "heads?layer=2&head=4&edits=h2.1*0&shows=column"})
    assert (board.layer, board.head, board.edits, board.shows) == (2, 4, "h2.1*0", "column")
    assert told == [2]
    board.set_state({"address": "heads"})
    assert (board.layer, board.edits, board.shows) == (1, "", "row")


def test_who_is_told_of_a_hands_choice_knows_all_of_it_and_may_choose_another(board: Any) -> None:
    knew = []

    def other(change: Any) -> None:
        knew.append((change["new"], board.page, board.layer, board.query))
        board.layer, board.head = 5, 3

    board.observe(other, "head")
    board.set_state({"address": "depth?layer=2&head=4&query=40"})
    assert knew[0] == (4, "depth", 2, "40")
    assert (board.address, board.layer, board.head) == ("depth?layer=5&head=3&query=40", 5, 3)

    def nowhere(_: Any) -> None:
        board.layer = 99

    board.observe(nowhere, "query")
    with pytest.raises(TraitError, match="there is no layer 99"):
        board.query = 41
    assert board.layer == 5


def test_an_address_leads_somewhere_and_leaves_out_what_is_usual(board: Any) -> None:
    for address, sentence in (
        ("foo?layer=2", "a notebook shows no page “foo”"),
        ("heads?layer=99", "there is no layer 99"),
        ("heads?donor=nobody", "there is no donor “nobody”; samples are"),
    ):
        with pytest.raises(TraitError, match=sentence):
            board.address = address
    board.address = "heads?layer=2&head=1&query=class&answer=0&learned=-1&moment=wall"
    assert board.address == "heads?layer=2"
    for name, other, usual in (("answer", 2, 0), ("head", 2, 1), ("donor", "left", ""), ("shows", "column", "row")):
        setattr(board, name, other)
        assert board.address == f"heads?layer=2&{name}={other}"
        setattr(board, name, usual)
        assert (board.address, getattr(board, name)) == ("heads?layer=2", usual)
    board.learned = -1
    assert board.address == "heads?layer=2"


def test_what_there_is_not_is_refused(board: Any) -> None:
    with pytest.raises(TraitError, match="there is no layer 99: they are 1 to 6"):
        board.layer = 99
    with pytest.raises(TraitError, match="a notebook shows no page “cards”"):
        board.page = "cards"
    assert (board.layer, board.page, board.address) == (3, "heads", "heads?layer=3")


def test_the_kernel_answers_by_name(board: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    board.edits = "h3.1*0"
    content, buffers = ask(board, "")
    assert (content["view"], content["number"], buffers) == ("a", 7, [])
    assert {"opening", "maps-2", "maps-2 h3.1*0"} <= set(content["names"])
    content, (numbers,) = ask(board, "maps-2 h3.1*0")
    assert "names" not in content
    assert numbers == board.numbers_of("maps-2 h3.1*0", f"edits=h3.1*0&page={board.page}")
    assert ask(board, "of another page") == ({"view": "a", "number": 7, "names": None}, [])

    def busy(*_: Any) -> None:
        raise BusyError("the queue is full; ask again in a moment")

    monkeypatch.setattr(Board, "numbers_of", busy)
    assert ask(board, "opening")[0]["refused"] == "the queue is full; ask again in a moment"

    def torn(*_: Any) -> None:
        raise WeightsError("its file is torn")

    monkeypatch.setattr(Board, "numbers_of", torn)
    assert ask(board, "opening")[0]["refused"] == "its file is torn"

    def broken(*_: Any) -> None:
        raise KeyError("page")

    monkeypatch.setattr(Board, "numbers_of", broken)
    with pytest.raises(KeyError):
        board._answer({"view": "a", "number": 8, "name": "opening", "words": ""})
    assert board.sent.pop()[0] == {"view": "a", "number": 8, "refused": "the kernel cannot answer: KeyError: 'page'"}


def test_it_is_told_of_the_model_the_picture_and_every_page(board: Any) -> None:
    data, facts = board._schema["data"], board._schema["facts"]
    assert (data["model_title"], data["picture"], data["meta"]["depth"]) == ("demo", "Cat", 6)
    assert [it["stem"] for it in data["stages"]] == list(facts) == list(SHOWN)
    before = board._schema
    board.layer = 6
    assert board._schema is before, "the same model and picture"
    board.crop = "100-100-500"
    assert (board._schema["data"]["meta"]["crop"], board._schema["data"]["meta"]["digest"]) != (
        "",
        before["data"]["meta"]["digest"],
    )


def test_its_page_asks_nobody(board: Any) -> None:
    assert "default-src 'none'" in board._page
    assert "randomUUID" not in board._esm, "which is there in secure contexts alone"
    assert "http" not in board._page.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")
