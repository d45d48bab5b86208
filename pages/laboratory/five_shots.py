"""Five shots: classes of your own, from a few pictures each, read off a frozen model by a read-out solved at once."""

import streamlit as st

from vitviz.addresses.ranges import fractions, stops
from vitviz.laboratory.shots import see_scenes
from vitviz.measures.laboratory.five_shots import frozen_vectors, ridge, tried
from vitviz.ui import page
from vitviz.ui.sections.laboratory import five_shots as section
from vitviz.ui.widgets.laboratory.dials import dial, unedited

selection = unedited()

page.sentence(
    "Move the shots from 1 to 5: how many pictures of a class does a model need that was never trained to name it? A "
    "cross is an error. The model stays **frozen**; a linear read-out is fitted to its features of the framed pictures "
    "in closed form, without a step of learning. The papers call this 5-shot, and measure models by it."
)
counted, used, weighed = st.columns(3)
with counted:
    count = dial("Number of classes", stops("shot_classes", selection.config), 2, "shot_classes")
with used:
    asked = dial("Shots of each class", stops("shots", selection.config), section.USUAL, "shots")
with weighed:
    penalty = dial("Penalty λ", fractions("penalty", selection.config), 1.0, "penalty")

chosen = section.chosen(selection, count)
shots = min(asked, max(it.shots for it in chosen))
shown = st.empty()
for found in section.seen(chosen):
    read_out = section.solved(found, shots, penalty)
    with shown.container():
        section.pictures(found, shots, read_out)
answer, worth = st.columns(2)
with answer:
    section.on_screen(selection, found, read_out)
with worth:
    section.by_shots(found, shots, penalty)
section.formulas(found, shots, penalty)
section.what_it_knew(selection, found)
read = "the class token after the last norm" if selection.config.pool == "class" else "what its tokens are pooled to"
st.caption(
    f"x is what the head of the model would read: {read}. "
    "X and Y are taken less their means, so that nothing penalises the bias b. Regularised least squares to targets of "
    "−1 and 1, as in Dosovitskiy et al. 2020, section 4.1. Your pictures are shown to your browser alone."
)
page.source(frozen_vectors, ridge, tried, see_scenes)
