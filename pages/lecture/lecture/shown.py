"""What stands on *Lecture*."""

import streamlit as st

from vitviz import numbers
from vitviz.counts import total_parameters
from vitviz.lecture import LESSONS, lesson
from vitviz.lecture.answers import truth
from vitviz.ui import page
from vitviz.ui.lecture import home, listing, own
from vitviz.ui.selection import current

from . import section


def show() -> None:
    """Draw it."""
    config = current().config

    section.join()
    home.asked(current())
    for each in map(lesson, LESSONS):
        listing.offer(each)

    st.subheader("Your own", anchor=False)
    section.bring()
    for each in own.brought():
        listing.offer(each)
    section.record()
    count, scale = total_parameters(config), 1_000_000  # from the least to the most that can be guessed
    near = scale**0.05
    with st.expander("When a guess counts as right"):
        page.formula(
            r"\text{right:} \quad \left\lvert \ln \frac{g}{a} \right\rvert \le \frac{1}{20} \ln "
            r"\frac{\text{most}}{\text{least}} \qquad \text{or} \qquad a_g \ge \tfrac12 \max_i a_i",
            rf"{numbers.exact(round(count / near))} \le g \le {numbers.exact(round(count * near))}",
        )
        st.caption(
            "A guess g of a number is right where it is near the answer a on the log scale, here of the "
            f"{numbers.exact(count)} parameters of this model, from a thousand to a billion; a guess of a patch where "
            "that patch has half of the largest share or more."
        )
    page.source(truth)
