"""From the text of a message to what it says: one word and its value, checked; or `MessageError` with a sentence."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn, get_args

from vitviz.lecture.rooms import shapes
from vitviz.lecture.rooms.shapes import Json, MessageError
from vitviz.messages import Phase

# What only who leads may say; a truth is checked against the room's question, when it is known.
LEADS: dict[str, Callable[[Any], Any]] = {
    "move": shapes.step,
    "view": shapes.place,
    "pointer": shapes.pointer,
    "blank": lambda it: shapes.flag(it, "blank"),
    "code": lambda it: shapes.flag(it, "code"),
    "ask": lambda it: shapes.whole(it, "the round", 1, 2),
    "lock": lambda it: shapes.flag(it, "lock"),
    "reveal": shapes.answer,
    "share": shapes.token,
    "table": lambda it: shapes.flag(it, "table"),
    "close": lambda it: shapes.flag(it, "close"),
}
VOTE = "vote"


@dataclass(frozen=True)
class Hello:
    """The first message: who comes, a random number, and by which right if it comes to lead."""

    id: str
    leads: bool = False
    secret: str = ""
    owner: str = ""
    state: Json | None = None


def hello(text: str) -> Hello:
    """Read the first message."""
    word, value = _message(text)
    if word != "hello":
        raise MessageError("the first message is no hello")
    record = shapes.record(value, "hello")
    id = shapes.like(record.get("id"), "the id", shapes.BROWSER)
    if "secret" not in record:
        return Hello(id)
    secret = shapes.text(record["secret"], "the secret", 200)
    owner = shapes.like(record.get("owner"), "the owner", shapes.BROWSER)
    return Hello(id, True, secret, owner, state(record.get("state")))


def read_message(text: str) -> tuple[str, Any]:
    """Read any other message: its word and its value; the guess of a vote is checked with the question, later."""
    word, value = _message(text)
    if word == VOTE:
        return word, value
    if word not in LEADS:
        raise MessageError("there is no such word")
    return word, LEADS[word](value)


def state(value: Any) -> Json | None:
    """The state of a room as its lecturer's browser has kept it; None: it has none."""
    if value is None:
        return None
    record = shapes.record(value, "the state")
    step = shapes.step(record)
    revealed = shapes.result(record.get("result"), step["question"])
    phase = shapes.one_of(record.get("phase"), "the phase", get_args(Phase))
    if phase != "none" and step["question"] is None:
        raise MessageError("there is a phase, and no question")
    if (phase == "revealed") != (revealed is not None):
        raise MessageError("phase and result do not belong together")
    withheld = shapes.text(record.get("withheld") or "", "the explanation", 2_000)
    return {
        **step,
        "explains": step["explains"] or withheld,
        "serial": shapes.whole(record.get("serial"), "the serial", 0, 2**53),
        "phase": phase,
        "round": shapes.whole(record.get("round"), "the round", 1, 2),
        "blank": shapes.flag(record.get("blank"), "blank"),
        "code": shapes.flag(record.get("code", False), "code"),
        "result": revealed,
        "shared": shapes.token(record.get("shared")),
    }


def _message(text: str) -> tuple[str, Any]:
    try:
        read = json.loads(text, parse_constant=_refuse)
    except MessageError:
        raise
    except (ValueError, RecursionError):
        raise MessageError("this is no JSON") from None
    record = shapes.record(read, "the message")
    if len(record) != 1:
        raise MessageError("a message has one word")
    return next(iter(record.items()))


def _refuse(name: str) -> NoReturn:
    raise MessageError(f"{name} is no number of JSON")
