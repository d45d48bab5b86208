"""The main script, run for every visitor and every interaction: what was chosen, then the page."""

import streamlit as st

from vitviz.ui import controls, fallback, links, navigation, page, sidebar
from vitviz.ui.selection import show

entry, script = navigation.navigation()
st.set_page_config(page_title=f"{entry.title} · vitviz", page_icon=page.icon(), layout="wide")
page.style()
links.take_out_what_is_no_number()
asked = sidebar.draw(entry.forward)
head, notice, waiting = st.empty(), st.empty(), st.empty()
with head.container():
    page.head(entry, asked.config, controls.chosen_layer(asked), "asked")
sidebar.stand_in(asked, notice)
shown = fallback.ready(asked, waiting) if entry.forward else asked
if shown != asked:
    with head.container():
        page.head(entry, shown.config, controls.chosen_layer(shown), "shown")
show(shown)
with fallback.explained():
    if entry.forward:
        sidebar.report(shown)
    script.run()
page.foot(entry)
