"""The main script, run for every visitor and every interaction: what was chosen, then the page."""

import streamlit as st

from vitviz.ui import assumptions, controls, fallback, links, navigation, page, sidebar
from vitviz.ui.selection import show

entry, script = navigation.navigation()
st.set_page_config(page_title=f"{entry.title} · vitviz", page_icon=page.icon(), layout="wide")
page.style()
links.take_out_what_is_no_number()
asked = sidebar.draw(entry.forward)
head, notice, assumed, waiting = (st.empty() for _ in range(4))
with head.container():
    page.head(entry, asked.config, controls.chosen_layer(asked), "asked")
sidebar.stand_in(asked, notice)
assumptions.draw(asked.model, assumed)
shown = fallback.ready(asked, waiting) if entry.forward else asked
if shown != asked:
    with head.container():
        page.head(entry, shown.config, controls.chosen_layer(shown), "shown")
    if shown.model.checkpoint != asked.model.checkpoint:
        assumed.empty()
show(shown)
with fallback.explained():
    if entry.forward:
        sidebar.report(shown)
    script.run()
page.foot(entry)
