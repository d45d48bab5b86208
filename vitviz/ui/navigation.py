"""The menu: chapters and pages as Streamlit knows them."""

from copy import copy
from functools import cache

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from vitviz.lecture.chapters import CHAPTERS, ENTRIES, Entry
from vitviz.ui.start import APP

PAGES = APP / "pages"
HERE = "page that is drawn"  # in the session


@cache
def streamlit_page(entry: Entry) -> StreamlitPage:
    """The entry as Streamlit knows it, to link to."""
    first = entry is ENTRIES[0]
    return st.Page(PAGES / entry.file, title=entry.title, url_path="" if first else entry.stem, default=first)


def navigation() -> tuple[Entry, StreamlitPage]:
    """Draw the menu, and return the entry that was asked for and the page to run.

    Streamlit notes on a page that it is to run, so every visitor's menu has pages of its own.
    """
    menu = {name: [copy(streamlit_page(entry)) for entry in chapter] for name, chapter in CHAPTERS.items()}
    chosen = st.navigation(menu, position="hidden")
    entry = next(entry for entry in ENTRIES if entry.title == chosen.title)
    st.session_state[HERE] = entry
    return entry, chosen


def here() -> Entry:
    """The page that this run draws; the first where its script runs alone."""
    entry: Entry = st.session_state.get(HERE, ENTRIES[0])
    return entry
