"""What browsers send, taken apart: broken, deep, endless, foreign, and of the wrong kind."""

import json
from typing import Any

import pytest

from tests.cases import each
from tests.unit.lecture.rooms.told import CHOOSE, NUMBER, TRUTHS, answer, step
from vitviz.lecture.rooms import messages, shapes
from vitviz.lecture.rooms.limits import LONG
from vitviz.lecture.rooms.room import Room
from vitviz.lecture.rooms.shapes import MessageError

ID = "0123456789abcdef" * 2


def without(told: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in told.items() if key != name}


BROKEN = [
    "",
    "{",
    "null",
    "[]",
    "1",
    '"hello"',
    "{}",
    '{"hello": {}}',
    '{"view": "heads", "blank": true}',
    '{"dance": 1}',
    '{"pointer": ["photo", NaN, 0]}',
    '{"pointer": ["photo", Infinity, 0]}',
    '{"pointer": ["photo", 1e999, 0]}',
    '{"pointer": ["photo", 0.5]}',
    '{"pointer": ["lamp", 0, 0]}',
    '{"pointer": ["photo", true, 0]}',
    '{"pointer": ["photo", 1.01, 0]}',
    '{"ask": 3}',
    '{"ask": true}',
    '{"ask": ' + "9" * 5000 + "}",
    '{"lock": 1}',
    '{"blank": "yes"}',
    '{"share": "short"}',
    '{"share": "' + "A" * 64 + "-" + "x" * 32 + '"}',
    '{"share": "../../../../etc/passwd/and/more"}',
    '{"view": null}',
    '{"view": "' + "a" * 4000 + '"}',
    '{"vote": ' + "[" * 20_000 + "]" * 20_000 + "}",
    '{"vote": ' + '{"a":' * 5_000 + "1" + "}" * 5_000 + "}",
    '{"vote": NaN}',
    '{"reveal": true}',
    '{"reveal": {"truth": {}}}',
    '{"reveal": {"step": 1, "truth": null}}',
    '{"again": true}',
    '{"move": {}}',
]


@each(BROKEN)
def test_what_is_no_message_gets_a_sentence(text: str) -> None:
    for read in (messages.read_message, messages.hello):
        with pytest.raises(MessageError) as told:
            read(text)
        assert 8 < len(str(told.value)) < 120


@pytest.mark.parametrize(
    "view",
    [
        "http://evil.example",
        "//evil.example/heads",
        "/heads",
        "..",
        "javascript:alert(1)",
        "heads#x",
        "heads?a b",
        "heads?\n",
        "Heads",
        "heads/socket",
        "lecturer",  # follows nobody: a class would be stranded there
        "lecturer?layer=2",
        "\\\\evil",
    ],
)
def test_a_view_lies_within_the_app(view: str) -> None:
    with pytest.raises(MessageError):
        shapes.place(view)
    with pytest.raises(MessageError):
        shapes.step(step(view=view))


@pytest.mark.parametrize("view", ["", "heads", "?room=BCDF", "heads?edits=5.attn%2A0&note=%C3%A9"])
def test_a_page_and_its_words_are_a_view(view: str) -> None:
    assert shapes.place(view) == view


@each(
    [
        *[without(step(CHOOSE), name) for name in ("title", "step", "of", "says", "view")],
        *[step(CHOOSE, number) for number in (0, -1, 31)],
        *[step(CHOOSE, of=of) for of in (0, 201, 10**6, "30", 30.0)],
        step(says="x" * 2_001),
        step(title=["x"]),
        step(says="half a letter: \ud800"),
        step("question"),
        step({**CHOOSE, "kind": "essay"}),
        step({**CHOOSE, "options": ["one"]}),
        step({**CHOOSE, "options": ["x"] * 13}),
        step({**CHOOSE, "options": ["x", 2]}),
        step({**CHOOSE, "options": ["x", "y" * 301]}),
        *[step({**NUMBER, "low": low}) for low in (0, -1, "1", None, 2_000_000, float("inf"))],
    ]
)
def test_a_step_that_is_none_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(MessageError):
        shapes.step(wrong)


def test_of_a_step_only_what_all_may_see_is_taken() -> None:
    told = step({**CHOOSE, "answer": "largest_part", "right": 0}, notes="Ask Anna.", minutes=3)
    taken = shapes.step(told)
    assert "Anna" not in str(taken)
    assert set(taken) == {"lesson", "title", "step", "of", "says", "explains", "view", "question"}
    assert set(taken["question"]) == {"kind", "asks", "options", "low", "high", "unit"}


def test_markup_is_text_and_goes_on_as_it_is() -> None:
    evil = "<script>alert(1)</script>"
    assert shapes.step(step({**CHOOSE, "options": [evil, "b"]}, says=evil))["says"] == evil


@pytest.mark.parametrize("kind", TRUTHS)
def test_a_truth_belongs_to_its_question(kind: str) -> None:
    asked = shapes.question({"choose": CHOOSE, "number": NUMBER}.get(kind, {"kind": kind, "asks": "?"}))
    assert asked
    assert shapes.truth(TRUTHS[kind], asked) == TRUTHS[kind]
    for name in TRUTHS[kind]:
        with pytest.raises(MessageError):
            shapes.truth(without(TRUTHS[kind], name), asked)
        with pytest.raises(MessageError):
            shapes.truth({**TRUTHS[kind], name: {"a": 1}}, asked)


@pytest.mark.parametrize("map", ["AAA", "AAAA", "!!!!", "", "A" * 40_000, "é"])
def test_a_map_is_base64_of_two_bytes_for_each_patch(map: str) -> None:
    with pytest.raises(MessageError):
        shapes.truth({**TRUTHS["patch"], "map": map}, {"kind": "patch"})


def test_a_hello_says_who_comes_and_by_which_right() -> None:
    assert messages.hello(json.dumps({"hello": {"id": ID}})) == messages.Hello(ID)
    leads = {"id": ID, "secret": "s", "owner": ID, "state": None}
    assert messages.hello(json.dumps({"hello": leads})) == messages.Hello(ID, True, "s", ID)
    for wrong in ({"id": "0"}, {"id": ID.upper()}, {"id": 5}, {**leads, "owner": ""}, {**leads, "secret": 1}):
        with pytest.raises(MessageError):
            messages.hello(json.dumps({"hello": wrong}))


def kept(**other: Any) -> dict[str, Any]:
    """The state of a room whose question was revealed, as a browser keeps it."""
    room = Room(ID)
    room.lead("move", shapes.step(step(CHOOSE)))
    room.lead("ask", 1)
    room.lead("reveal", answer("choose"))
    return {**room.message(3, leads=True), **other}


def test_a_state_that_was_kept_comes_back_as_it_was() -> None:
    told = kept()
    assert messages.state(told) == {key: it for key, it in told.items() if key not in ("withheld", "following")}


@each(
    [
        *[without(kept(), name) for name in ("serial", "phase", "round", "blank", "step", "view", "result")],
        *[kept(serial=it) for it in (-1, 1.5, "1", 2**60)],
        kept(phase="dance"),
        kept(phase="open"),
        kept(question=None),
        kept(result={"rounds": [{}], "truth": TRUTHS["choose"]}),
        kept(result={"rounds": [], "truth": {}}),
        kept(result={"rounds": [{"voted": 1, "choose": [1], "right": 1}], "truth": TRUTHS["choose"]}),
        kept(result={"rounds": [{"voted": -1, "choose": [1, 0, 0], "right": 1}], "truth": TRUTHS["choose"]}),
        kept(round=3),
        kept(shared="x"),
        "state",
    ]
)
def test_a_state_that_cannot_be_is_refused(wrong: Any) -> None:
    with pytest.raises(MessageError):
        messages.state(wrong)


def test_the_largest_map_that_a_class_can_click_fits_into_a_lecturers_message() -> None:
    largest = {**TRUTHS["patch"], "map": shapes.base64.b64encode(bytes(2 * shapes.PATCHES)).decode()}
    truth = shapes.truth(largest, {"kind": "patch"})
    rounds = [{"voted": 1, "patch": shapes.base64.b64encode(bytes(shapes.PATCHES)).decode(), "right": 1}] * 2
    state = kept(question={"kind": "patch", "asks": "?"}, result={"rounds": rounds, "truth": truth})
    assert messages.state(state)
    assert len(json.dumps({"hello": {"id": ID, "secret": ID, "owner": ID, "state": state}})) < LONG
