"""A room's state machine: every transition, what comes too late, and what is told to whom."""

import base64
import csv
from io import StringIO
from itertools import product
from typing import Any

import pytest

from tests.cases import each
from tests.unit.lecture.rooms.told import CHOOSE, NUMBER, PAIR, PATCH, QUESTIONS, RIGHT, TRUTHS, WRONG, answer, step
from vitviz.lecture.rooms import messages, shapes
from vitviz.lecture.rooms.limits import BURST, Bucket
from vitviz.lecture.rooms.room import Room
from vitviz.lecture.rooms.shapes import MessageError
from vitviz.lecture.rooms.table import written

OWNER = "0" * 32
SHARED = "a" * 64 + "-" + "x" * 32
# What has been said in a room with a question, by the phase and round that follow.
SAID: dict[tuple[str, int], list[tuple[str, Any]]] = {
    ("none", 1): [],
    ("open", 1): [("ask", 1)],
    ("locked", 1): [("ask", 1), ("lock", True)],
    ("open", 2): [("ask", 1), ("lock", True), ("ask", 2)],
    ("locked", 2): [("ask", 1), ("lock", True), ("ask", 2), ("lock", True)],
    ("revealed", 1): [("ask", 1), ("lock", True), ("reveal", answer("choose"))],
    ("revealed", 2): [("ask", 1), ("lock", True), ("ask", 2), ("reveal", answer("choose"))],
}
NEXT = {
    "ask 1": dict.fromkeys(SAID, ("open", 1)),
    "ask 2": dict.fromkeys(SAID, ("open", 2)) | {("none", 1): ("none", 1)},
    "lock": {before: ("locked", before[1]) if before[0] == "open" else before for before in SAID},
    "reveal": {before: ("revealed", before[1]) if before[0] in ("open", "locked") else before for before in SAID},
    "move": dict.fromkeys(SAID, ("none", 1)),
}
WORDS: dict[str, tuple[str, Any]] = {
    "ask 1": ("ask", 1),
    "ask 2": ("ask", 2),
    "lock": ("lock", True),
    "reveal": ("reveal", answer("choose")),
    "move": ("move", shapes.step(step(CHOOSE, 2))),
}


def room_with(question: Any = CHOOSE, *said: tuple[str, Any]) -> Room:
    room = Room(OWNER)
    for word, value in [("move", shapes.step(step(question))), *said]:
        room.lead(word, value)
    return room


def vote(room: Room, browser: str, guess: Any) -> bool:
    """What somebody guesses who is there."""
    if browser not in room.hall:
        room.hall.come(browser, "a hall")
    return room.vote(browser, guess)


def phase(room: Room) -> tuple[str, int]:
    return room.state["phase"], room.state["round"]


@each(product(NEXT, SAID))
def test_every_word_in_every_phase(said: str, before: tuple[str, int]) -> None:
    room = room_with(CHOOSE, *SAID[before])
    assert phase(room) == before
    serial = room.state["serial"]
    changed = room.lead(*WORDS[said])
    after = NEXT[said][before]
    assert phase(room) == after
    if before != after:
        assert changed
    assert room.state["serial"] == serial + changed


@pytest.mark.parametrize("before", SAID, ids=str)
def test_a_guess_counts_while_the_question_is_open_and_never_else(before: tuple[str, int]) -> None:
    room = room_with(CHOOSE, *SAID[before])
    assert vote(room, "a", 0) is (before[0] == "open")
    assert (room.sums() or {"voted": 0})["voted"] == (before[0] == "open")


@pytest.mark.parametrize("kind", QUESTIONS)
def test_the_last_guess_of_a_browser_counts_and_sums_say_how_many_are_right(kind: str) -> None:
    room = room_with(QUESTIONS[kind], ("ask", 1))
    for id in "abc":
        assert vote(room, id, WRONG[kind])
    assert vote(room, "a", RIGHT[kind])
    sums = room.sums()
    assert sums
    assert (sums["voted"], sums["right"]) == (3, None), "who is right nobody knows before the truth"
    room.lead("lock", True)
    room.lead("reveal", answer(kind))
    (shown,) = room.state["result"]["rounds"]
    assert (shown["voted"], shown["right"]) == (3, 1)
    assert shown[kind] == sums[kind]
    counted = base64.b64decode(shown[kind]) if isinstance(shown[kind], str) else shown[kind]
    assert sum(counted) == (6 if kind == "pair" else 3)


def test_a_number_is_counted_in_twenty_bins_of_a_log_scale_and_is_right_within_one() -> None:
    room = room_with(NUMBER, ("ask", 1))  # from 1 to 2 ** 20: a bin for each power of two
    for power in range(20):
        assert vote(room, str(power), 1.5 * 2**power)
    vote(room, "low", 1)
    vote(room, "high", 2**20)
    room.lead("reveal", answer("number"))
    assert room.state["result"]["rounds"][0]["number"] == [2, *[1] * 18, 2]
    assert room.state["result"]["rounds"][0]["right"] == 2, "1.5 x 512 and 1.5 x 1,024, not 1.5 x 2,048"


def test_a_patch_is_right_where_at_least_half_of_the_largest_share_lies() -> None:
    room = room_with(PATCH, ("ask", 1))
    for place in range(4):
        vote(room, str(place), place)
    vote(room, "nowhere", 4_000)
    room.lead("reveal", answer("patch"))
    (sums,) = room.state["result"]["rounds"]
    assert (sums["voted"], sums["right"]) == (5, 2), "50 % and 30 %, not 20 %, nor what lies beside the photo"


def test_both_rounds_lie_side_by_side() -> None:
    room = room_with(CHOOSE, ("ask", 1))
    vote(room, "a", 1)
    vote(room, "b", 1)
    room.lead("lock", True)
    room.lead("ask", 2)
    assert room.sums() == {"voted": 0, "choose": [0, 0, 0], "right": None}
    vote(room, "a", 0)
    room.lead("lock", True)
    room.lead("reveal", answer("choose"))
    assert [it["choose"] for it in room.state["result"]["rounds"]] == [[0, 2, 0], [1, 0, 0]]
    assert [it["right"] for it in room.state["result"]["rounds"]] == [0, 1]


def test_asking_the_first_round_again_forgets_both() -> None:
    room = room_with(CHOOSE, *SAID["revealed", 2])
    room.lead("ask", 1)
    vote(room, "a", 0)
    room.lead("reveal", answer("choose"))
    assert [it["voted"] for it in room.state["result"]["rounds"]] == [1]


def test_the_explanation_comes_with_the_reveal_and_the_lecturer_holds_it_before() -> None:
    room = room_with(CHOOSE, ("ask", 1), ("lock", True))
    assert "Because" not in str(room.message(7))
    assert room.message(7, leads=True)["withheld"] == "Because."
    assert (room.message(7)["result"], room.message(7)["following"]) == (None, 7)
    room.lead("reveal", answer("choose"))
    assert room.message(7)["explains"] == "Because."


def test_the_answer_of_a_step_that_was_left_answers_no_other() -> None:
    room = room_with(CHOOSE, ("move", shapes.step(step(NUMBER, 2))), ("ask", 1))
    vote(room, "a", 1024)
    for late in (answer("choose"), answer("number")):
        assert not room.lead("reveal", late)
    assert phase(room) == ("open", 1)
    assert room.lead("reveal", answer("number", 2))
    assert not room.lead("reveal", {"step": 2, "truth": {"value": 7, "text": "7"}}), "the first answer stays"
    assert room.state["result"]["truth"] == TRUTHS["number"]


@pytest.mark.parametrize("word", ["ask", "reveal"])
def test_a_step_that_asks_nothing_cannot_be_asked(word: str) -> None:
    room = room_with(None)
    assert not room.lead(word, 1 if word == "ask" else answer("choose"))
    assert phase(room) == ("none", 1)
    assert room.sums() is None
    assert not vote(room, "a", 0)


def test_a_view_within_a_step_keeps_the_guesses_and_a_move_forgets_them() -> None:
    room = room_with(CHOOSE, ("ask", 1))
    vote(room, "a", 1)
    assert room.lead("view", "heads?layer=7")
    assert not room.lead("view", "heads?layer=7"), "nothing has changed"
    assert room.sums() == {"voted": 1, "choose": [0, 1, 0], "right": None}
    room.lead("blank", True)
    room.lead("code", True)
    assert room.message(0)["code"]
    room.lead("move", shapes.step(step(CHOOSE, 2)))
    assert (room.sums(), room.state["blank"], room.state["code"]) == (None, False, False)


def test_who_follows_is_told_of_no_picture_of_the_lecturers_but_one_that_is_shared() -> None:
    own = "0123456789abcdef" * 4
    view = f"heads?layer=2&picture={own}&b.image={own}&donor={own}&sample=left"
    room = room_with(None, ("view", view))
    assert room.message(0, leads=True)["view"] == view
    assert room.message(0)["view"] == room.view() == "heads?layer=2&sample=left"
    room.lead("share", SHARED)
    assert room.message(0)["view"] == f"heads?layer=2&picture={SHARED}&sample=left"
    for plain in ("", "heads", "?layer=2"):
        room.lead("view", plain)
        assert room.view() == plain


def test_what_is_shared_and_that_it_is_over() -> None:
    room = room_with()
    room.lead("share", SHARED)
    assert room.message(0)["shared"] == SHARED
    room.lead("share", None)
    assert room.message(0)["shared"] is None
    room.lead("close", False)
    assert not room.over
    room.lead("close", True)
    assert room.over


@pytest.mark.parametrize("before", SAID, ids=str)
def test_a_room_made_anew_from_what_the_lecturers_browser_kept_goes_on_with_no_votes(before: tuple[str, int]) -> None:
    old = room_with(CHOOSE, *SAID[before], ("blank", True), ("share", SHARED))
    vote(old, "a", 0)
    kept = messages.state(old.message(12, leads=True))
    assert kept
    new = Room(OWNER, kept)
    assert new.message(0) == {**old.message(0), "serial": old.state["serial"] + 1}
    if before[0] in ("open", "locked"):
        assert vote(new, "a", 0) is (before[0] == "open")
        new.lead("ask", 2)
        new.lead("reveal", answer("choose"))
        assert len(new.state["result"]["rounds"]) == 2
    if before[0] == "none":
        new.lead("ask", 1)
    if before[0] != "revealed":
        new.lead("reveal", answer("choose"))
        assert new.message(0)["explains"] == "Because."


def test_who_is_not_there_has_no_vote_and_a_guess_says_whether_it_counts() -> None:
    room = room_with(CHOOSE)
    assert room.counts("a") is None
    room.lead("ask", 1)
    assert not room.vote("a", 0)
    assert room.counts("a") is False
    assert vote(room, "a", 0)
    assert room.counts("a") is True
    room.lead("ask", 2)
    assert room.counts("a") is False, "of the present round"


@each(
    [
        *[(CHOOSE, it) for it in (-1, 3, 1.0, True, "0", None, [0])],
        *[(NUMBER, it) for it in (0.5, 2_000_000, "5", None, True, 10**400)],
        *[(PATCH, it) for it in (-1, 4096, 1.5, "3", None, [1])],
        *[(PAIR, it) for it in ([1], [1, 1], [1, 2, 3], [1, "2"], [-1, 2], 3, {"0": 1})],
    ]
)
def test_a_guess_of_the_wrong_kind_is_refused(question: Any, guess: Any) -> None:
    room = room_with(question, ("ask", 1))
    with pytest.raises(MessageError):
        vote(room, "a", guess)
    assert (room.sums() or {})["voted"] == 0


def test_the_table_has_a_line_for_each_answer_and_nothing_of_anybody() -> None:
    room = room_with({**CHOOSE, "options": ['=HYPERLINK("x")', "b, c"]}, ("ask", 1))
    vote(room, "f" * 32, 1)
    room.lead("reveal", {"step": 1, "truth": {"option": 1, "text": "b, c"}})
    room.lead("move", shapes.step(step(PATCH, 2)))
    room.lead("ask", 1)
    vote(room, "f" * 32, 3)
    text = written(room.table())
    head, *lines = csv.reader(StringIO(text))
    assert head == ["step", "question", "round", "voted", "right", "answer", "votes", "true answer"]
    asked = CHOOSE["asks"]
    assert lines == [
        ["1", asked, "1", "1", "1", '\'=HYPERLINK("x")', "0", "b, c"],
        ["1", asked, "1", "1", "1", "b, c", "1", "b, c"],
        ["2", PATCH["asks"], "1", "1", "", "patch 4", "1", ""],
    ]
    assert "ffff" not in text


def test_numbers_in_the_table_are_named_by_their_bins() -> None:
    room = room_with(NUMBER, ("ask", 1))
    vote(room, "a", 3)
    lines = list(csv.reader(StringIO(written(room.table()))))
    assert [line[5:7] for line in lines[1:4]] == [
        ["1 to 2 parameters", "0"],
        ["2 to 4 parameters", "1"],
        ["4 to 8 parameters", "0"],
    ]


def test_a_bucket_lets_through_what_was_agreed() -> None:
    bucket = Bucket(10)
    assert sum(bucket.take(0.0) for _ in range(1000)) == 10 * BURST
    assert sum(bucket.take(1 + step / 100) for step in range(100)) == 19, "10 of the second before, and 9 more"
    assert sum(bucket.take(100.0) for _ in range(1000)) == 10 * BURST
