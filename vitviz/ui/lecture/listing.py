"""Lessons in a list: each with the ways to take it, and its steps as a plan."""

from itertools import accumulate

import streamlit as st

from vitviz.lecture import LESSONS, Lesson
from vitviz.lecture.payloads import link_to
from vitviz.lecture.shipped import text_of
from vitviz.numbers import many
from vitviz.pages import LEADS, PAGES
from vitviz.ui.lecture import home
from vitviz.ui.links import escaped
from vitviz.ui.navigation import streamlit_page
from vitviz.ui.selection import current
from vitviz.ui.widgets.table import table

QUESTION_KINDS = {"choose": "choose one", "number": "a number", "patch": "click a patch", "pair": "click two patches"}


def offer(lesson: Lesson, *, given_here: int = 0) -> None:
    """A lesson by its title, how long it takes, and the links to it; `given_here`: its key where it is given."""
    counted = f"{lesson.takes} · {many(len(lesson.steps), 'step')} · {many(lesson.questions, 'question')}"
    with st.container(border=True, key=f"lesson-{lesson.name}", gap="small"):
        st.markdown(f"**{escaped(lesson.title)}**")
        st.caption(f"{counted}. {escaped(lesson.about)}")
        with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
            first = lesson.steps[0].view
            at = {"lesson": lesson.name, "step": "1"}
            st.page_link(
                streamlit_page(PAGES[first.page]), label="Take it alone", query_params={**dict(first.words), **at}
            )
            give = "Give it to a class"
            if given_here:  # a link of Streamlit's to the page that it stands on leaves the address as it is
                st.button(f"{give} :gray-badge[{given_here}]", key=f"give-{lesson.name}", on_click=_begin, args=[at])
            else:
                st.page_link(streamlit_page(LEADS), label=give, query_params=at)
            if lesson.name in LESSONS:
                st.download_button(
                    "Download (.toml)", text_of(lesson.name), f"{lesson.name}.toml", "application/toml", type="tertiary"
                )
            pressed = not given_here and home.button(lesson)
        if pressed:
            home.give(lesson, current())
        with st.expander("Its steps"):
            plan(lesson)


def _begin(at: dict[str, str]) -> None:
    st.query_params.update(at)


def plan(lesson: Lesson) -> None:
    """All steps in order, with the minute at which each begins but the optional; a step is a link to its view."""
    begins = [0.0, *accumulate(0.0 if step.optional else step.minutes for step in lesson.steps)]
    rows = [
        (
            {_without_braces(step.says): f"./{link_to(step.view, lesson.name, at)}"},
            PAGES[step.view.page].title,
            "optional" if step.optional else f"{begins[at - 1]:g}",
            QUESTION_KINDS[step.question.kind] if step.question else "",
        )
        for at, step in enumerate(lesson.steps, 1)
    ]
    head = ("What is said", "Page", "Minute", "Asked")
    table(f"The steps of {lesson.title}", head, rows, words=(0, 1, 3))


def _without_braces(text: str) -> str:
    return text.replace("{", "").replace("}", "")
