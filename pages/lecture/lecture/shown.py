"""What stands on *Lecture*."""

import streamlit as st

from vitviz.counts import total_parameters
from vitviz.lecture import LESSONS, LessonError, lesson
from vitviz.lecture.answers import truth
from vitviz.lecture.reading import LARGEST
from vitviz.numbers import exact
from vitviz.pages import FIRST
from vitviz.selection import Selection
from vitviz.ui import page
from vitviz.ui.lecture import home, listing, own
from vitviz.ui.links import escaped, quoted
from vitviz.ui.navigation import streamlit_page
from vitviz.ui.server.lecture.socket import CODE


def show(selection: Selection) -> None:
    config = selection.config

    join()
    home.give_if_requested(selection)
    for each in map(lesson, LESSONS):
        listing.offer(each)

    st.subheader("Your own", anchor=False)
    bring()
    for each in own.lessons():
        listing.offer(each)
    record()
    count, scale = total_parameters(config), 1_000_000  # from the least to the most that can be guessed
    near = scale**0.05
    with st.expander("When a guess counts as right"):
        page.formula(
            r"\text{right:} \quad \left\lvert \ln \frac{g}{a} \right\rvert \le \frac{1}{20} \ln "
            r"\frac{\text{most}}{\text{least}} \qquad \text{or} \qquad a_g \ge \tfrac12 \max_i a_i",
            rf"{exact(round(count / near))} \le g \le {exact(round(count * near))}",
        )
        st.caption(
            "A guess g of a number is right where it is near the answer a on the log scale, here of the "
            f"{exact(count)} parameters of this model, from a thousand to a billion; a guess of a patch where "
            "that patch has half of the largest share or more."
        )
    page.source(truth)


def join() -> None:
    """The letters to type, which lead to the room that they name; or why they name none."""
    with st.form("join", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        typed = st.text_input("Join a lecture: the room's letters", key="join_code", width=240, autocomplete="off")
        pressed = st.form_submit_button("Join")
    if not pressed:
        return
    code = "".join(typed.split()).upper()
    if CODE.fullmatch(code):
        st.switch_page(streamlit_page(FIRST), query_params={"room": code})
    st.error(
        f"“{quoted(typed)}” is no room: a room has four letters or six, such as BCDF, and no vowels; "
        "type those on the lecturer's screen."
    )


def bring() -> None:
    """A file of the visitor's own, read and kept for their browser, or what is wrong with which line."""
    file = st.file_uploader(
        f"A lesson as a TOML file, up to {exact(LARGEST)} bytes", ["toml"], key="lesson_file", max_upload_size=1
    )
    if file is None:
        return
    try:
        own.bring(file.getvalue())
    except LessonError as error:
        st.error(f"{escaped(str(error))}.")


def record() -> None:
    """The way to make one by walking through the pages."""
    with st.container(key="lesson-record", gap="small"):
        st.caption("Or make one by hand: walk through the pages, and press K where a view is to be kept as a step.")
        st.page_link(streamlit_page(FIRST), label="Record a lesson", query_params={"record": "yes"})
