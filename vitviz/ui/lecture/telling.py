"""What the board is told of a lesson: its steps, and what is right where the step asks, computed by the engine."""

import streamlit as st

from vitviz.lecture import Lesson, Step
from vitviz.lecture.answers import AnswerError, truth
from vitviz.lecture.payloads import lesson_payload
from vitviz.lecture.views import ViewError
from vitviz.messages import Given, Right, Solution
from vitviz.selection import Selection
from vitviz.ui.components import tell
from vitviz.ui.fallback import Failure, sentence
from vitviz.ui.lecture import own
from vitviz.ui.lecture.looking import look, selected
from vitviz.ui.links import quoted, say

LESSON, STEP = "lesson", "step"  # parameters
MOST_DIGITS = 3
NONE: Solution = {"truth": None, "why": ""}


def draw(selection: Selection) -> None:
    """Tell the board which lesson the address asks for, at which step, and what is right there."""
    name = st.query_params.get(LESSON)
    if not name:
        return
    lesson = own.find(name)
    if lesson is None:
        tell(key="lesson", data=[{"missing": name}])
        way = "upload its file again on the page Lecture" if own.is_own(name) else "the page Lecture has them all"
        _say_once(name, f"There is no lesson “{quoted(name)}” here; {way}.")
        return
    step = step_of(lesson)
    given: Given = {**lesson_payload(lesson), "step": step}
    tell(key="lesson", data=[{"lesson": given}])
    if lesson.steps[step - 1].question:
        right: Right = {"lesson": lesson.name, "step": step, **answer(lesson.steps[step - 1], selection)}
        tell(key="truth", data=[{"truth": right}])


def answer(step: Step, selection: Selection) -> Solution:
    """The truth of a step that asks; None, and why, where the model cannot answer."""
    assert step.question
    try:
        return {"truth": truth(step.question, look(step.view, selection)), "why": ""}
    except AnswerError as error:
        return {"truth": None, "why": str(error)}
    except Failure as error:
        return {"truth": None, "why": sentence(error)}


def led(selection: Selection) -> tuple[Selection, str]:
    """Model and picture of the step that the address names, and its page; those of the sidebar, and "", where it names
    none, or a model whose sizes its name does not tell.
    """
    lesson = own.find(st.query_params.get(LESSON, ""))
    if lesson is None:
        return selection, ""
    view = lesson.steps[step_of(lesson) - 1].view
    try:
        return selected(view, selection), view.page
    except ViewError:
        return selection, view.page


def step_of(lesson: Lesson) -> int:
    """The step that the address asks for, from 1; where it asks in vain, the nearest there is."""
    text, most = st.query_params.get(STEP, "1"), len(lesson.steps)
    step = int(text) if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS else 0
    if not 1 <= step <= most:
        _say_once(f"{lesson.name} {text}", f"The link asks for step “{quoted(text)}”, and this lesson has 1 to {most}.")
    return min(max(step, 1), most)


def _say_once(what: str, words: str) -> None:
    if st.session_state.get("lesson_said") != what:
        st.session_state["lesson_said"] = what
        say(words)
