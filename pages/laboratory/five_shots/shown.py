"""What stands on *Five shots*."""

import streamlit as st

from vitviz.laboratory.fine_tuning import HEAD, go_on, tried_copy
from vitviz.laboratory.shots import see_scenes
from vitviz.measures.laboratory.five_shots import frozen_vectors, ridge, tried
from vitviz.numbers import many
from vitviz.selection import Selection
from vitviz.ui import controls, page

from . import classes, fine_tuning, read_out
from .page import PENALTY, RATE, SHOT_CLASSES, SHOTS, TUNED


def show(selection: Selection) -> None:

    counted, used, weighed = st.columns(3)
    with counted:
        count = controls.draw(SHOT_CLASSES, selection.config)
    with used:
        number = controls.draw(SHOTS, selection.config)
    with weighed:
        penalty = controls.draw(PENALTY, selection.config)

    chosen = classes.chosen(selection, count)
    shots = min(number, max(it.shots for it in chosen))
    if shots < number:
        st.caption(
            f"{many(shots, 'shot')} of each class, not {number}: so few pictures are there. Look at all, or bring more."
        )
    place = st.empty()
    for found in classes.seen(chosen):
        solved = read_out.solved(found, shots, penalty)
        with place.container():
            read_out.pictures(found, shots, solved)
    answer, worth = st.columns(2)
    with answer:
        read_out.on_screen(selection, found, solved)
    with worth:
        read_out.by_shots(found, shots, penalty)
    read_out.formulas(found, shots, penalty)
    read_out.what_it_knew(selection, found)
    read = (
        "the class token after the last norm" if selection.config.pool == "class" else "what its tokens are pooled to"
    )
    st.caption(
        f"x is what the head of the model would read: {read}. "
        "X and Y are taken less their means, so that nothing penalises the bias b. Regularised least squares to "
        "targets of −1 and 1, as in Dosovitskiy et al. 2020, section 4.1. Your pictures are shown to your browser "
        "alone."
    )

    st.subheader("Fine-tuning", anchor=False)
    page.sentence(
        "Let more of a copy learn from the same shots, step by step: what moves, by how much, and does it name other "
        "pictures better? The shots are soon right; where held-out pictures are not, it has learned them by heart: "
        "**overfitting**. Raise the learning rate, and see what it knew lost."
    )
    parts, speeds = st.columns(2)
    with parts:
        learns = controls.draw(TUNED, selection.config)
    with speeds:
        rate = controls.draw(RATE, selection.config)
    tuning = fine_tuning.run(selection, *classes.parcels(chosen, shots, learns == HEAD), learns, rate)
    shares, moved = (column.empty() for column in st.columns(2))
    for steps in tuning:
        with shares.container():
            fine_tuning.answers(steps, found, shots, solved)
        with moved.container():
            fine_tuning.movement(selection, steps, learns)
    fine_tuning.numbers(selection, steps, learns, count)
    fine_tuning.formulas(steps, learns, rate)
    st.caption(
        "As Dosovitskiy et al. 2020 fine-tune (section 3.2, appendix B.1.1): a head of zeros takes the place of the "
        "old one, and gradient descent with momentum μ trains on, gradients cut to length 1; their learning rate falls "
        "like a cosine. They pre-train on 14 million pictures of 21 thousand classes, at 224 pixels, and train "
        "everything on, on 1.3 million of one thousand, at 384: positions are interpolated, and learn on with the rest."
    )
    page.link("resolution", "Interpolated positions: Resolution")
    page.source(frozen_vectors, ridge, tried, see_scenes, go_on, tried_copy)
