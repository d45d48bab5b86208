"""The menu: chapters and pages as Streamlit knows them."""

from collections.abc import Callable
from copy import copy
from functools import cache

import streamlit as st

from vitviz.page import Page
from vitviz.pages import CHAPTERS, FIRST, PAGES
from vitviz.ui.private import StreamlitPage

HERE = "page that is drawn"  # in the session


def _nothing(page: Page) -> None: ...


@cache
def streamlit_page(page: Page, draw: Callable[[Page], None] = _nothing) -> StreamlitPage:
    """The page as Streamlit knows it, to link to; `draw` is what draws it where it is the one that is run."""
    return st.Page(lambda: draw(page), title=page.title, url_path=page.address, default=page is FIRST)


def navigation(draw: Callable[[Page], None]) -> tuple[Page, StreamlitPage]:
    """Draw the menu, and return the page that was asked for, and what runs it: there `draw` draws it.

    Streamlit notes on a page that it is to run, so every visitor's menu has pages of its own.
    """
    menu = {name: [copy(streamlit_page(page, draw)) for page in chapter] for name, chapter in CHAPTERS.items()}
    chosen = st.navigation(menu, position="hidden")
    page = next(page for page in PAGES.values() if page.title == chosen.title)
    st.session_state[HERE] = page
    return page, chosen


def here() -> Page:
    """The page that this run draws; the first where its script runs alone."""
    page: Page = st.session_state.get(HERE, FIRST)
    return page
