"""The main script, run for every visitor and every interaction: what was chosen, then the page."""

from pathlib import Path

import streamlit as st

from vitviz.ui import chapters, controls, furniture, sidebar, view

ICON = Path(__file__).parent / "icon.png"

st.set_page_config(page_title="vitviz", page_icon=ICON, layout="wide")
entry = chapters.navigation()
furniture.style()
shown = sidebar.draw(entry.forward)
furniture.head(entry, shown.config, controls.chosen_layer(shown))
notice = st.empty()
if entry.forward:
    shown = view.ready(shown, notice)
    sidebar.report(shown)
view.show(shown)
with view.explained():
    chapters.page(entry).run()
furniture.foot(entry)
