"""From the guesses of a round to sums, in which nobody can be told from anybody."""

import base64
from collections.abc import Collection
from math import log
from typing import Any

from vitviz.lecture.rooms.shapes import BINS, Json

MOST = 255  # a count of a patch is one byte
FULL = 65_535  # the code of the largest share in a map


def sums(question: Json, votes: Collection[Any], truth: Json | None) -> Json:
    """How many guessed what, and how many were right; None as long as the room does not know what is."""
    kind = question["kind"]
    right = None if truth is None else sum(is_right(question, vote, truth) for vote in votes)
    return {"voted": len(votes), kind: _counts(question, votes), "right": right}


def _counts(question: Json, votes: Collection[Any]) -> list[int] | str:
    kind = question["kind"]
    if kind == "choose":
        return _count(votes, len(question["options"]))
    if kind == "number":
        return _count([bin_of(question, vote) for vote in votes], BINS)
    patches = list(votes) if kind == "patch" else [patch for vote in votes for patch in vote]
    counted = _count(patches, 1 + max(patches, default=-1))
    return base64.b64encode(bytes(min(it, MOST) for it in counted)).decode()


def bin_of(question: Json, value: float) -> int:
    """The bin of a number, from 0; numbers out of the question's range lie in the first or the last one."""
    share = log(max(value, question["low"]) / question["low"]) / log(question["high"] / question["low"])
    return min(BINS - 1, int(share * BINS))


def is_right(question: Json, vote: Any, truth: Json) -> bool:
    """Whether a guess is right: a number within a bin's width, a patch with at least half of the largest share."""
    kind = question["kind"]
    if kind == "number":
        value = truth["value"]
        return value > 0 and abs(log(vote / value)) <= log(question["high"] / question["low"]) / BINS
    if kind == "patch":
        code = base64.b64decode(truth["map"])[2 * vote : 2 * vote + 2]
        return vote == truth["patch"] or 2 * int.from_bytes(code, "little") >= FULL
    return bool(vote == truth["option" if kind == "choose" else "pair"])


def _count(places: Collection[int], many: int) -> list[int]:
    counted = [0] * many
    for place in places:
        counted[place] += 1
    return counted
