"""What Lecture draws beside its list: how to bring a lesson, and how to make one."""

import streamlit as st

from vitviz.lecture import LessonError
from vitviz.lecture.reading import LARGEST
from vitviz.numbers import exact
from vitviz.ui.lecture import own
from vitviz.ui.links import escaped
from vitviz.ui.navigation import ENTRIES, streamlit_page


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
        st.page_link(streamlit_page(ENTRIES[0]), label="Record a lesson", query_params={"record": "yes"})
