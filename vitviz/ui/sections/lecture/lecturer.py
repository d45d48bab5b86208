"""What Lecturer draws: the window of who gives a lesson, at the step of the address, and what is right there."""

import streamlit as st

from vitviz.lecture import LESSONS, Lesson, lesson
from vitviz.lecture.told import told
from vitviz.ui.lecture import listing, own, telling
from vitviz.ui.selection import Selection
from vitviz.ui.sidebar import uploads
from vitviz.ui.widgets.lecturer import window

TOKEN = "token"  # a parameter: the secret of a server that has no other
SHARE = "share"  # another: a picture of the visitor's own that others are to see
KEPT = "lecturer_token"
COMING = {"truth": None, "why": ""}


def draw(shown: Selection) -> None:
    """The window, at once; then the same with the answer of its step, which the engine may have to compute."""
    if token := _taken(TOKEN):
        st.session_state[KEPT] = token
    picture = _taken(SHARE)
    others = {
        "token": st.session_state.get(KEPT, ""),
        "shared": None if picture is None else uploads.share(picture),
    }
    place = st.empty()
    given = _given()
    if given is None:
        with place:
            window.show(None, 1, (1, 1), COMING, **others)
        return
    number = telling.step_of(given)
    step = given.steps[number - 1]
    grid = step.view.config.grid if step.view.config else (1, 1)
    with place:
        window.show(told(given), number, grid, COMING, **others)
    if step.question:
        answer = telling.answered(step, shown)
        with place:
            window.show(told(given), number, grid, answer, **others)


def plan() -> None:
    """The steps of the lesson that is given; where none is, all lessons to choose from."""
    given = _given()
    if given:
        listing.plan(given)
    else:
        st.subheader("Which lesson?", anchor=False)
        st.caption(
            "Choose one with *Give it to a class*. Its first step comes here, with your notes; *Open a room* then "
            "makes the four letters by which a class follows, and PgDn goes on."
        )
        for each in (*map(lesson, LESSONS), *own.brought()):
            listing.offer(each, given_here=True)


def _given() -> Lesson | None:
    return own.known(st.query_params.get(telling.LESSON, ""))


def _taken(parameter: str) -> str | None:
    """What the address says under this name, which leaves it at once."""
    said: str | None = st.query_params.get(parameter)
    if said is not None:
        del st.query_params[parameter]
    return said
