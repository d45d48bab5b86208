"""What stands on *Resolution*."""

import streamlit as st

from vitviz import counts
from vitviz.config.sides import spelled
from vitviz.laboratory.resizing import at_size, fits_one_size
from vitviz.measures.laboratory.resolution import at_this_size
from vitviz.numbers import exact, short, small
from vitviz.ui import page
from vitviz.ui.selection import current
from vitviz.ui.widgets import count_line, predictions
from vitviz.ui.widgets.laboratory.guess import guess, verdict

from . import section
from .page import GUESS


def show() -> None:
    """Draw it."""
    selection = current().plain
    config = selection.config
    page.sentence(
        f"Move the slider and see whether {'the answer' if config.classes else 'what a head looks at'} stays. Nothing "
        "but the {positions} knows how many {patches} there are: stretch their grid over a finer one, and the same "
        "model reads a larger picture, more tokens, "
        f"{section.more_parameters(config)}."
    )
    if why_not := fits_one_size(config):
        page.sentence(f"Here is one size only: {why_not}.")
    own, largest = section.sizes_ends(config)
    told = largest == own
    if not told:
        guessed = guess(
            GUESS,
            f"{spelled(largest.image_size)} instead of {spelled(config.image_size)} pixels are "
            f"{largest.patches / config.patches:.3g} times the patches. And the multiply-accumulates?",
            section.choices(config),
        )
        if guessed:
            told = True
            times, right = section.dearer(config)
            verdict(
                guessed,
                right,
                f"{short(counts.total_macs(own))}MAC become {short(counts.total_macs(largest))}MAC, × {small(times)}. "
                "Most of a block grows with the tokens, the products of attention with their square.",
            )
    wanted = section.several(selection)
    early = st.empty()
    for looks in section.looked(selection, wanted):
        if len(looks) < len(wanted):
            with early.container():
                section.side_by_side(selection, looks, "One head at the first sizes")
    early.empty()
    shown = section.through(selection, looks, told)
    count_line.follow(shown.config)
    section.side_by_side(selection, looks)
    predictions.warn(selection)
    section.compared(selection, looks, told)
    costs = (
        "Milliseconds are those of the quickest of 3 passes at most, on this device."
        if told
        else ("What each size costs comes with your guess.")
    )
    st.caption(
        f"The marked row is the size that the model was made for, {spelled(config.image_size)} pixels. Positions: "
        f"{section.interpolated(config)}. {costs}"
    )
    page.sentence(
        "**Interpolate, then train on.** So the paper: pre-trained at 224 pixels, a model is fine-tuned at 384, with "
        "its {positions} interpolated and all of it trained on. Here nothing is trained on: what you see is the first "
        "half."
    )
    (height, width), (down, across) = shown.config.image_sides, config.patch_sides
    squared = r" \text{attention} \propto t^2, \quad \text{the rest} \propto t"
    resized, sizes = section.resized_positions(config, shown.config)
    page.formula(
        r"n = \frac{H}{p} \cdot \frac{W}{p} \qquad "
        + resized
        + (squared if counts.overtaking(config).kinds else r"\text{all} \propto t"),
        rf"n = \frac{{{height}}}{{{down}}} \cdot \frac{{{width}}}{{{across}}} = {exact(shown.config.patches)}{sizes}",
    )
    st.subheader("A whole picture, uncut", anchor=False)
    page.sentence(
        "A model that was trained on squares is given a square. With another grid of {positions}, one wide or high, it "
        "reads the rest as well."
    )
    section.whole(selection, looks)
    page.source(at_size, at_this_size)
