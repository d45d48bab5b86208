"""What a lecturer's browser says, for tests."""

import base64
from typing import Any

import numpy as np

Json = dict[str, Any]

CHOOSE = {"kind": "choose", "asks": "Which part has most parameters?", "options": ["the MLPs", "attention", "the rest"]}
NUMBER = {"kind": "number", "asks": "How many?", "low": 1, "high": 1_048_576, "unit": "parameters"}
PATCH = {"kind": "patch", "asks": "Where does this head look from here?"}
PAIR = {"kind": "pair", "asks": "Which two did I swap?"}
QUESTIONS = {it["kind"]: it for it in (CHOOSE, NUMBER, PATCH, PAIR)}

SHARES = [0.0, 0.5, 0.3, 0.2]  # of a head that looks at four patches
MAP = base64.b64encode(np.round(np.array(SHARES) / 0.5 * 65_535).astype("<u2").tobytes()).decode()
TRUTHS: dict[str, Json] = {
    "choose": {"option": 0, "text": "the MLPs, 66 %"},
    "number": {"value": 1024.0, "text": "1,024"},
    "patch": {"patch": 1, "map": MAP, "most": 0.5, "text": "the nose, 50 %"},
    "pair": {"pair": [2, 5], "text": "3 and 6"},
}
RIGHT: Json = {"choose": 0, "number": 1100, "patch": 1, "pair": [5, 2]}
WRONG: Json = {"choose": 1, "number": 900_000, "patch": 0, "pair": [2, 6]}


def answer(kind: str, number: int = 1) -> Json:
    """The answer of a step, as a lecturer's browser tells it."""
    return {"step": number, "truth": TRUTHS[kind]}


def step(question: Any = None, number: int = 1, **other: Any) -> Json:
    """A step of a lesson, as a lecturer's browser tells it."""
    told = {"title": "Heads", "step": number, "of": 30, "says": "Guess first.", "explains": "Because."}
    return {**told, "view": "heads?sample=left&layer=5", "question": question, **other}
