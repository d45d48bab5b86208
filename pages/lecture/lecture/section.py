"""What Lecture draws beside its list: how to bring a lesson, and how to make one."""

import streamlit as st

from vitviz.lecture import LessonError
from vitviz.lecture.reading import LARGEST
from vitviz.numbers import exact
from vitviz.pages import FIRST
from vitviz.ui.lecture import own
from vitviz.ui.links import escaped, quoted
from vitviz.ui.navigation import streamlit_page
from vitviz.ui.server.lecture.socket import CODE


def join() -> None:
    """The letters to type, which lead to the room that they name; or why they name none."""
    with st.form("join", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        typed = st.text_input("Join a lecture: the room's letters", key="join_code", width=240, autocomplete="off")
        sent = st.form_submit_button("Join")
    if not sent:
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
