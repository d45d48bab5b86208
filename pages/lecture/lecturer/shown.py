"""What stands on *Lecturer*."""

import streamlit as st

from vitviz.lecture import LESSONS, Lesson, lesson
from vitviz.lecture.payloads import lesson_payload
from vitviz.lecture.rooms.votes import is_right, sums
from vitviz.numbers import exact
from vitviz.selection import Selection
from vitviz.ui import page
from vitviz.ui.lecture import listing, own, telling
from vitviz.ui.server.lecture.secret import may_share
from vitviz.ui.sidebar import uploads
from vitviz.ui.widgets.lecturer import window

SHARE = "share"  # a parameter: the right to share, and a picture of the visitor's own that others are to see
SHARED = "lecturer_shared"


def show(selection: Selection) -> None:
    config = selection.config
    draw(selection)
    plan()

    with st.expander("When a guess counts as right"):
        page.formula(
            r"\text{caught} = \sum_{i \,\in\, \text{clicked}} a_i",
            rf"\text{{a patch at random}} \approx \frac{{1}}{{{config.patches}}}",
        )
        st.caption(
            f"Of a question that is answered with a click on one of {exact(config.patches)} patches: each patch that "
            "anybody clicked counts once, with its share of the true map. Right is a patch with at least half of the "
            "largest share, and a number within a twentieth of the log scale."
        )
    page.source(sums, is_right)


def draw(selection: Selection) -> None:
    """The window, at once; then the same with the answer of its step, which the engine may have to compute."""
    shared = _shared()
    place = st.empty()
    lesson_ = _lesson()
    if lesson_ is None:
        with place:
            window.show(None, 1, (1, 1), telling.NONE, shared)
        return
    number = telling.step_of(lesson_)
    step = lesson_.steps[number - 1]
    grid = step.view.config.grid if step.view.config else (1, 1)
    with place:
        window.show(lesson_payload(lesson_), number, grid, telling.NONE, shared)
    if step.question:
        answer = telling.answer(step, selection)
        with place:
            window.show(lesson_payload(lesson_), number, grid, answer, shared)


def plan() -> None:
    """The steps of the lesson that is given; where none is, all lessons to choose from."""
    plan_of = _lesson()
    if plan_of:
        listing.plan(plan_of)
    else:
        st.subheader("Which lesson?", anchor=False)
        st.caption(
            "Choose one with *Give it to a class*, or its number. Its first step comes here, with your notes; "
            "*Open a room* then makes the letters by which a class follows, and PgDn goes on."
        )
        for number, each in enumerate((*map(lesson, LESSONS), *own.lessons()), 1):
            listing.offer(each, given_here=number)


def _lesson() -> Lesson | None:
    return own.find(st.query_params.get(telling.LESSON, ""))


def _shared() -> str | None:
    """The name under which the picture of the address is shared; None where it names none. The window takes it out."""
    digest: str | None = st.query_params.get(SHARE)
    if digest is None:
        st.session_state.pop(SHARED, None)
        return None
    if st.session_state.get(SHARED, ("", ""))[0] != digest:
        right, _, picture = digest.partition("-")
        st.session_state[SHARED] = digest, uploads.share(picture) if may_share(right) else ""
    name: str = st.session_state[SHARED][1]
    return name
