"""Lecture: lessons to give to a class, or to take alone."""

import streamlit as st

from vitviz.lecture import LESSONS, lesson
from vitviz.lecture.answers import truth
from vitviz.ui import page
from vitviz.ui.lecture import own
from vitviz.ui.sections.lecture import lecture as section

page.sentence(
    "A lesson is a list of steps: what is said, what is on screen, and what a class guesses before it is shown. "
    "Every answer is computed from the model on screen."
)
for each in map(lesson, LESSONS):
    section.offer(each)

st.subheader("Your own", anchor=False)
section.bring()
for each in own.brought():
    section.offer(each)
section.record()
page.source(truth)
