"""The browser counts guesses as a room does, and knows the right ones: one file holds both, with tests/frontend."""

import json
from pathlib import Path

from vitviz.lecture.rooms.votes import sums

CASES = json.loads((Path(__file__).parents[3] / "frontend/lecture/guesses.json").read_text(encoding="utf-8"))


def test_the_file_holds_what_python_says() -> None:
    for case in CASES:
        assert sums(case["question"], case["votes"], case["truth"]) == case["sums"], case


def test_the_file_has_right_guesses_and_wrong_ones_of_every_kind() -> None:
    for kind in ("choose", "number", "patch", "pair"):
        of = [case["sums"] for case in CASES if case["question"]["kind"] == kind]
        assert min(sum(it["right"] for it in of), sum(it["voted"] - it["right"] for it in of)) >= 20, kind
