"""The menu: chapters and pages as Streamlit knows them."""

from copy import copy
from functools import cache

import streamlit as st

from vitviz.page import Page
from vitviz.pages import CHAPTERS, FIRST, PAGES, module_of
from vitviz.ui.board.address import read
from vitviz.ui.private import StreamlitPage
from vitviz.ui.selection import current

HERE = "page that is drawn"  # in the session


@cache
def streamlit_page(page: Page) -> StreamlitPage:
    """The page as Streamlit knows it, to link to."""

    def script() -> None:
        """All that goes at once when another page comes: what the main script draws stays until it is replaced."""
        from vitviz.ui import page as form  # which links to pages

        if not page.on_board:
            form.head(page, current(), read(current().config).layer, "shown")
        if (page.folder / "shown.py").is_file():  # else all of it is on the board
            module_of(page, "shown").show(current().plain if page.unedited else current())
        if not page.on_board:
            form.foot(page, current().config)

    return st.Page(script, title=page.title, url_path=page.address, default=page is FIRST)


def navigation() -> tuple[Page, StreamlitPage]:
    """Draw the menu, and return the page that was asked for, and what runs it.

    Streamlit notes on a page that it is to run, so every visitor's menu has pages of its own.
    """
    menu = {name: [copy(streamlit_page(page)) for page in chapter] for name, chapter in CHAPTERS.items()}
    chosen = st.navigation(menu, position="hidden")
    page = next(page for page in PAGES.values() if page.title == chosen.title)
    st.session_state[HERE] = page
    return page, chosen


def here() -> Page:
    """The page that this run draws; the first where its script runs alone."""
    page: Page = st.session_state.get(HERE, FIRST)
    return page
