"""What a browser is told of a lesson and of an answer: plain values for JSON."""

from base64 import b64encode
from urllib.parse import urlencode

import numpy as np
from numpy.typing import NDArray

from vitviz import messages
from vitviz.lecture.lesson import Lesson, Question, Step
from vitviz.lecture.views import View

CODES = 65_535


def lesson_payload(lesson: Lesson) -> messages.Lesson:
    """A lesson with all of its steps."""
    return {
        "name": lesson.name,
        "title": lesson.title,
        "minutes": lesson.minutes,
        "steps": [step_payload(step) for step in lesson.steps],
    }


def step_payload(step: Step) -> messages.Step:
    """One step; `question` is None where nothing is asked."""
    return {
        "says": step.says,
        "view": step.view.address,
        "notes": step.notes,
        "minutes": step.minutes,
        "optional": step.optional,
        "question": question_payload(step.question) if step.question else None,
        "explains": step.explains,
    }


def question_payload(question: Question) -> messages.Question:
    """What is asked, without what leads to the answer."""
    return {
        "kind": question.kind,
        "asks": question.asks,
        "options": [text for text, _ in question.options],
        "low": question.low,
        "high": question.high,
        "unit": question.unit,
    }


def link_to(view: View, name: str, step: int) -> str:
    """The link to a view with its lesson and step, from the folder of the app on."""
    page, _, words = view.address.partition("?")
    query = urlencode({"lesson": name, "step": str(step)})
    return f"{page}?{words}&{query}" if words else f"{page}?{query}"


def map_payload(shares: NDArray[np.float32]) -> messages.Shares:
    """Shares of patches, two bytes each: share = code / 65535 · `most`."""
    most = float(shares.max())
    codes = np.rint(shares / (most or 1.0) * CODES).astype("<u2")
    return {"map": b64encode(codes.tobytes()).decode(), "most": most}
