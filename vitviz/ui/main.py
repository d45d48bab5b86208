"""The main script, run for every visitor and every interaction: what was chosen, the board, then the page."""

import streamlit as st

from vitviz.ui import fallback, links, navigation, notices, page
from vitviz.ui.board import component as board
from vitviz.ui.board import early, editing, second, takeaway
from vitviz.ui.lecture import home
from vitviz.ui.lecture import telling as lesson
from vitviz.ui.script import draw
from vitviz.ui.selection import show
from vitviz.ui.sidebar import assumptions, panel, refusals
from vitviz.ui.sidebar.models import published
from vitviz.ui.takeaway.file_requests import keep_promise

entry, script = navigation.navigation(draw)
st.set_page_config(
    page_title=f"{entry.title} · vitviz", page_icon=page.icon(), layout="wide", initial_sidebar_state="collapsed"
)
home.arrive()
notices.begin()
links.drop_invalid_numbers()
requested = editing.edited(panel.draw(entry.forward))
if entry.compares:
    requested = requested.plain
column = second.read(requested)
notice, assumed = st.empty().container(key="notices"), st.empty()
waiting = notice.empty()
stage = st.container(key="board-place", gap=None)
refusals.draw(requested, notice)
with notice:
    published.draw_coming(requested.model.name)
assumptions.draw(requested.model, assumed)
begun = early.draw(entry, requested, column, stage, waiting)
if column and entry.forward:
    second.begin(requested, column)
selection = fallback.ready(requested, waiting, early.embedded(entry, requested, column)) if entry.forward else requested
if begun:
    st.rerun()  # the board is drawn once in a run
links.report_dropped(selection.config)
links.say_what_page_is_unknown(notice)
if selection != requested and selection.model.checkpoint != requested.model.checkpoint:
    assumed.empty()
show(selection)
with stage, fallback.explained(waiting):
    if entry.leads:  # its window is told of the lesson, and the board of its step
        board.draw(entry, *lesson.led(selection))
    else:
        board.draw(entry, selection, second=column)
        lesson.draw(selection)
    takeaway.answer(entry, selection, column)
with fallback.explained():
    if not entry.on_board:
        with st.container(key=f"page-{entry.stem}"):
            if column:
                st.caption("One column here; the second one comes back with its pages.")
            script.run()
    elif page.drawer():
        with st.container(key="drawer"):
            script.run()
            page.cards_here(entry, selection.config)
links.notify()
with fallback.explained():
    keep_promise()
