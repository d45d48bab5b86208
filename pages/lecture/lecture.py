"""Lecture: lessons to give to a class, or to take alone."""

import streamlit as st

from vitviz import numbers
from vitviz.lecture import LESSONS, lesson
from vitviz.lecture.answers import truth
from vitviz.ui import page
from vitviz.ui.lecture import listing, own
from vitviz.ui.sections.lecture import lecture as section
from vitviz.ui.selection import current

config = current().config

page.sentence(
    "A lesson is a list of steps: what is said, what is on screen, and what a class guesses before it is shown. "
    "Every answer is computed from the model on screen."
)
for each in map(lesson, LESSONS):
    listing.offer(each)

st.subheader("Your own", anchor=False)
section.bring()
for each in own.brought():
    listing.offer(each)
section.record()
page.formula(
    r"\text{attention that the class caught} = \frac1n \sum_{i=1}^{n} a_{g_i}",
    rf"\text{{a guess without looking catches}} \approx \frac{{1}}{{{config.patches}}}",
)
st.caption(
    "Of a question that is answered with a click: each guess catches the attention of the patch it hit, and the class "
    f"catches their mean. One patch of {numbers.exact(config.patches)} is little; that is why guessing is worth it."
)
page.source(truth)
