"""What stands on *Permutation*."""

import streamlit as st

from vitviz.measures.laboratory.order import reordered
from vitviz.numbers import small
from vitviz.ui import page
from vitviz.ui.links import escaped
from vitviz.ui.selection import current
from vitviz.ui.widgets.laboratory.guess import guess, verdict

from . import section
from .page import GUESS


def show() -> None:
    """Draw it."""
    selection = current().plain
    answer = "answer" if selection.config.classes else "result"
    pictures, said = st.columns(2)
    with pictures:
        exchange = section.chosen(selection)
    blind, other = section.pair(selection, exchange)
    with said:
        guessed = guess(GUESS, f"Which {answer} changes?", (section.NEITHER, section.ONE, section.BOTH))
        if guessed:
            theirs = "" if blind.number == other.number else f"a {other.number} "
            verdict(
                guessed,
                section.right_answer(blind, other),
                f"a {blind.number} changes by {small(blind.answer_moved)} at most without positions, and {theirs}by "
                f"{small(other.answer_moved)} in {escaped(other.selection.model.title)}.",
            )
            for column, seen in zip(st.columns(2), (blind, other), strict=True):
                with column:
                    section.answers(seen)
        else:
            st.caption(f"Both {answer}s, and how far each token moved, come with your guess.")

    if guessed:
        limit = section.limit_of(blind, other)
        for column, seen in zip(st.columns(2), (blind, other), strict=True):
            with column:
                section.tokens(seen, exchange, selection.config.grid, limit)
        section.proofs(blind, other)

    numbers = (
        rf"\begin{{gathered}} \max \left\lvert f(PX) - P f(X) \right\rvert = {small(blind.moved)} \\ "
        rf"\text{{without positions,}} \quad {small(other.moved)} \ \text{{in the other model}} \end{{gathered}}"
    )
    page.formula(r"\operatorname{SA}(P X) = P \operatorname{SA}(X) \quad \text{because}")
    page.formula(
        r"\begin{gathered} \operatorname{softmax}\!\left(\tfrac{P Q K^\top P^\top}{\sqrt{d_h}}\right) P V \\ "
        r"= P \operatorname{softmax}\!\left(\tfrac{Q K^\top}{\sqrt{d_h}}\right) V \end{gathered}",
        numbers if guessed else "",
    )
    page.source("attention", "ViT.embed", reordered)
