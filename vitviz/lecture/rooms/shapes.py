"""What a room takes from browsers, checked: kinds, ranges and lengths. What it does not know is left out."""

import base64
import binascii
import re
from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any, TypeVar, get_args

from vitviz.messages import Kind
from vitviz.pages import LEADS

T = TypeVar("T")
Json = dict[str, Any]

BINS = 20  # of a histogram of numbers, on a log scale
PATCHES = 4_096
STEPS = 200
NUMBERS = 1e100  # the largest
OPTIONS = 12
COUNTED = 10**6  # votes
PLACE = re.compile(r"[a-z0-9_-]{0,40}(\?[^\s\x00-\x1f\x7f#]{0,3000})?")  # a page and what is chosen, beside all pages
BROWSER = re.compile("[0-9a-f]{32}")
TOKEN = re.compile("[0-9a-f]{64}-[A-Za-z0-9_-]{32}")  # the name of a picture that is shared


class MessageError(ValueError):
    """What came is no message of ours; says why in a sentence."""


def record(value: Any, name: str) -> Json:
    """A JSON object."""
    if not isinstance(value, dict):
        raise MessageError(f"{name} is no object")
    return value


def text(value: Any, name: str, most: int) -> str:
    """A text of `most` letters at most, all of which can be sent on."""
    if not isinstance(value, str) or len(value) > most:
        raise MessageError(f"{name} is no text of at most {most} letters")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise MessageError(f"{name} has half a letter") from None
    return value


def whole(value: Any, name: str, least: int, most: int) -> int:
    """A whole number in a range."""
    if type(value) is not int or not least <= value <= most:
        raise MessageError(f"{name} is no whole number from {least} to {most}")
    return value


def number(value: Any, name: str, least: float = -NUMBERS, most: float = NUMBERS) -> float:
    """A number in a range."""
    if type(value) not in (int, float) or not least <= value <= most or not isfinite(value):
        raise MessageError(f"{name} is no number from {least:g} to {most:g}")
    return float(value)


def flag(value: Any, name: str) -> bool:
    """Yes or no."""
    if not isinstance(value, bool):
        raise MessageError(f"{name} is neither true nor false")
    return value


def one_of(value: Any, name: str, words: Sequence[str]) -> str:
    """One of some words."""
    if not isinstance(value, str) or value not in words:
        raise MessageError(f"{name} is none of {', '.join(words)}")
    return value


def like(value: Any, name: str, pattern: re.Pattern[str]) -> str:
    """A text of a certain form."""
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise MessageError(f"{name} has not the form of one")
    return value


def listed(value: Any, name: str, least: int, most: int, each: Callable[[Any], T]) -> list[T]:
    """A list, and each thing in it."""
    if not isinstance(value, list) or not least <= len(value) <= most:
        raise MessageError(f"{name} is no list of {least} to {most}")
    return [each(it) for it in value]


def packed(value: Any, name: str, each: int = 1) -> bytes:
    """Bytes in base64, `each` for a patch."""
    written = text(value, name, 4 * each * PATCHES)
    try:
        data = base64.b64decode(written, validate=True)
    except (binascii.Error, ValueError):
        raise MessageError(f"{name} is no base64") from None
    if len(data) % each or len(data) > each * PATCHES:
        raise MessageError(f"{name} is no map of at most {PATCHES} patches")
    return data


def place(value: Any) -> str:
    """An address within the app: a page that follows, and what is chosen on it."""
    text(value, "the view", 3_100)
    if like(value, "the view", PLACE).partition("?")[0] == LEADS.address:
        raise MessageError("the lecturer's own window is no view")
    return str(value)


def pointer(value: Any) -> list[str | float] | None:
    """Where the lecturer points: fractions of the photo or of the scene; None: nowhere."""
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 3:
        raise MessageError("the pointer is no place")
    return [
        one_of(value[0], "what is pointed at", ("photo", "scene")),
        *(round(number(it, "the pointer", 0, 1), 4) for it in value[1:]),
    ]


def question(value: Any) -> Json | None:
    """A question; None: the step asks nothing."""
    if value is None:
        return None
    fields = record(value, "the question")
    kind = one_of(fields.get("kind"), "the question's kind", get_args(Kind))
    checked: Json = {"kind": kind, "asks": text(fields.get("asks"), "what is asked", 1_000)}
    checked |= {"options": [], "low": 0.0, "high": 0.0, "unit": ""}
    if kind == "choose":
        options = listed(fields.get("options"), "the options", 2, OPTIONS, lambda it: text(it, "an option", 300))
        checked["options"] = options
    elif kind == "number":
        checked["low"] = number(fields.get("low"), "the least number", 1 / NUMBERS)
        checked["high"] = number(fields.get("high"), "the largest number", 1 / NUMBERS)
        if not checked["low"] < checked["high"]:
            raise MessageError("the least number is not below the largest")
        checked["unit"] = text(fields.get("unit") or "", "the unit", 60)
    return checked


def step(value: Any) -> Json:
    """A step of a lesson as everybody sees it; notes are not among it."""
    fields = record(value, "the step")
    of = whole(fields.get("of"), "the number of steps", 1, STEPS)
    return {
        "lesson": text(fields.get("lesson") or "", "the lesson's name", 80),
        "title": text(fields.get("title"), "the title", 200),
        "step": whole(fields.get("step"), "the step", 1, of),
        "of": of,
        "says": text(fields.get("says"), "what is said", 2_000),
        "explains": text(fields.get("explains") or "", "the explanation", 2_000),
        "view": place(fields.get("view")),
        "question": question(fields.get("question")),
    }


def patch(value: Any) -> int:
    """A patch by its place, from 0."""
    return whole(value, "the patch", 0, PATCHES - 1)


def pair(value: Any) -> list[int]:
    """Two patches, the first one first."""
    two = sorted(listed(value, "the pair", 2, 2, patch))
    if two[0] == two[1]:
        raise MessageError("the pair is one patch")
    return two


def vote(value: Any, question: Json) -> Any:
    """A guess that answers this question."""
    kind = question["kind"]
    if kind == "choose":
        return whole(value, "the guess", 0, len(question["options"]) - 1)
    if kind == "number":
        return number(value, "the guess", question["low"], question["high"])
    return patch(value) if kind == "patch" else pair(value)


def answer(value: Any) -> Json:
    """What is right, and at which step; the truth itself is checked with the question."""
    fields = record(value, "the answer")
    at = whole(fields.get("step"), "the step", 1, STEPS)
    return {"step": at, "truth": record(fields.get("truth"), "the truth")}


def truth(value: Any, question: Json) -> Json:
    """What is right, as the lecturer's session computed it."""
    fields = record(value, "the truth")
    kind = question["kind"]
    words = {"text": text(fields.get("text"), "the answer", 1_000)}
    if kind == "choose":
        return {"option": whole(fields.get("option"), "the option", 0, len(question["options"]) - 1)} | words
    if kind == "number":
        return {"value": number(fields.get("value"), "the value")} | words
    if kind == "pair":
        return {"pair": pair(fields.get("pair"))} | words
    patches = len(packed(fields.get("map"), "the map", 2)) // 2
    return {
        "patch": whole(fields.get("patch"), "the patch", 0, patches - 1),
        "map": fields["map"],
        "most": number(fields.get("most"), "the largest share", 0),
    } | words


def sums(value: Any, question: Json) -> Json:
    """The sums of a round."""
    fields = record(value, "the sums")
    kind = question["kind"]

    def count(it: Any) -> int:
        return whole(it, "a count", 0, COUNTED)

    bins = {"choose": len(question["options"]), "number": BINS}.get(kind)
    if bins:
        counted: Any = listed(fields.get(kind), "the counts", bins, bins, count)
    else:
        packed(fields.get(kind), "the counts")
        counted = fields[kind]
    right = fields.get("right")
    return {"voted": count(fields.get("voted")), kind: counted, "right": None if right is None else count(right)}


def result(value: Any, question: Json | None) -> Json | None:
    """What was revealed: the sums of each round, and what is right."""
    if value is None:
        return None
    if question is None:
        raise MessageError("there is a result, and no question")
    fields = record(value, "the result")
    rounds = listed(fields.get("rounds"), "the rounds", 0, 2, lambda it: sums(it, question))
    return {"rounds": rounds, "truth": truth(fields.get("truth"), question)}


def token(value: Any) -> str | None:
    """The token of a picture that is shared; None: none is."""
    return None if value is None else like(value, "the token", TOKEN)
