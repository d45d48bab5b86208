"""What the browser is told of what can be chosen is what Python declares, and a breaking change is named."""

from types import UnionType
from typing import Any, Literal, TypedDict, Union, get_args, get_origin, get_type_hints, is_typeddict

import pytest

from vitviz.lecture import LESSONS, lesson
from vitviz.lecture.payloads import lesson_payload
from vitviz.lecture.rooms.room import Room
from vitviz.messages import Data, State, Taught
from vitviz.scripts import schema, typescript


def test_no_file_is_stale() -> None:
    for name, now in schema.files().items():
        there = (schema.FOLDER / name).read_text(encoding="utf-8")
        assert there == now, f"{name} is stale: run `make schema`. " + "; ".join(typescript.breaks(there, now))


def test_a_breaking_change_is_named() -> None:
    before = typescript.types(schema.Grammar)
    assert typescript.breaks(before, before) == []
    after = before.replace("    usual?: string;\n", "    fresh: string;\n").replace("whole?: boolean", "whole: boolean")
    assert typescript.breaks(before, after) == [
        "Grammar.usual is gone: nothing may read it any more",
        "Grammar.whole was boolean or nothing and is boolean: whatever reads it has to follow",
    ]


def test_a_type_that_adds_to_others_says_so_and_nothing_twice() -> None:
    text = typescript.types(Data)
    assert "export interface Data extends Strip, OfPage {\n}" in text


def fits(value: Any, hint: Any) -> bool:
    """Whether a value is of a type of messages."""
    origin, args = get_origin(hint), get_args(hint)
    if is_typeddict(hint):
        hints = get_type_hints(hint)
        there = isinstance(value, dict) and hint.__required_keys__ <= value.keys() <= hints.keys()
        return there and all(fits(it, hints[name]) for name, it in value.items())
    if origin is Literal:
        return value in args
    if origin in (Union, UnionType):
        return any(fits(value, it) for it in args)
    if origin is list:
        return isinstance(value, list) and all(fits(it, args[0]) for it in value)
    return isinstance(value, (int, float) if hint is float else hint)


STEP = {
    "lesson": "tour",
    "title": "A tour",
    "step": 2,
    "of": 3,
    "says": "Look.",
    "explains": "So.",
    "view": "heads",
    "question": {"kind": "choose", "asks": "Which?", "options": ["a", "b"], "low": 0.0, "high": 0.0, "unit": ""},
}


@pytest.mark.parametrize("leads", [True, False])
def test_a_room_says_what_its_type_promises(leads: bool) -> None:
    room = Room("0" * 32)
    assert fits(room.message(0, leads), State)
    for word, value in (
        ("move", STEP),
        ("ask", 1),
        ("lock", True),
        ("reveal", {"step": 2, "truth": {"text": "b", "option": 1}}),
    ):
        room.lead(word, value)
        assert fits(room.message(3, leads), State), word
    assert room.state["phase"] == "revealed"


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_is_told_as_its_type_promises(name: str) -> None:
    given = {**lesson_payload(lesson(name)), "step": 1}
    assert fits({"lesson": given}, Taught)
    assert not fits({"lesson": {**given, "steps": [{"says": "half"}]}}, Taught)


def test_a_type_that_does_not_cross_is_refused() -> None:
    with pytest.raises(TypeError, match="is no type that crosses"):
        typescript.types(Wrong)


class Wrong(TypedDict):
    """No list of JSON is a set."""

    names: set[str]
