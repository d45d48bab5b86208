"""The main script, run for every visitor and every interaction: what was chosen, the board, then the page."""

import streamlit as st

from vitviz.ui import fallback, links, navigation, notices, page
from vitviz.ui.board import address, early, editing, second, taken
from vitviz.ui.board import component as board
from vitviz.ui.lecture import home
from vitviz.ui.lecture import telling as lesson
from vitviz.ui.selection import show
from vitviz.ui.sidebar import assumptions, panel, refusals
from vitviz.ui.sidebar.models import published
from vitviz.ui.takeaway.asking import keep_promise

entry, script = navigation.navigation()
st.set_page_config(
    page_title=f"{entry.title} · vitviz", page_icon=page.icon(), layout="wide", initial_sidebar_state="collapsed"
)
home.arrive()
notices.begin()
links.drop_invalid_numbers()
asked = editing.edited(panel.draw(entry.forward))
if entry.compares:
    asked = asked.plain
beside = second.read(asked)
notice, assumed = st.empty().container(key="notices"), st.empty()
waiting = notice.empty()
stage = st.container(key="board-place", gap=None)
refusals.draw(asked, notice)
with notice:
    published.draw_coming(asked.model.name)
assumptions.draw(asked.model, assumed)
begun = early.draw(entry, asked, beside, stage, waiting)
if beside and entry.forward:
    second.begin(asked, beside)
shown = fallback.ready(asked, waiting, early.embedded(entry, asked, beside)) if entry.forward else asked
if begun:
    st.rerun()  # the board is drawn once in a run
links.report_dropped(shown.config)
links.say_what_page_is_unknown(notice)
if shown != asked and shown.model.checkpoint != asked.model.checkpoint:
    assumed.empty()
show(shown)
with stage, fallback.explained(waiting):
    if entry.leads:  # its window is told of the lesson, and the board of its step
        board.draw(entry, *lesson.led(shown))
    else:
        board.draw(entry, shown, second=beside)
        lesson.draw(shown)
    taken.answer(entry, shown, beside)
with fallback.explained():
    if not entry.on_board:
        with st.container(key=f"page-{entry.stem}"):
            if beside:
                st.caption("One column here; the second one comes back with its pages.")
            page.head(entry, shown, address.read(shown.config).layer, "shown")
            script.run()
            page.foot(entry, shown.config)
    elif page.drawer():
        with st.container(key="drawer"):
            script.run()
            page.cards_here(entry, shown.config)
links.notify()
with fallback.explained():
    keep_promise()
