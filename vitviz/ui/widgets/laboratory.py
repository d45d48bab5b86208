"""What pages of the laboratory begin with: a guess before the answer, and how much is computed unasked."""

from collections.abc import Sequence

import streamlit as st

from vitviz import counts
from vitviz.choice import Choice
from vitviz.config import ViTConfig
from vitviz.numbers import exact, short
from vitviz.ui.takeaway.views import switch_of_all


def guess(choice: Choice, question: str, answers: Sequence[str]) -> str | None:
    """Ask what will happen; the answer that was given, kept in the address, None until there is one."""
    return st.segmented_control(question, answers, key=choice.word, bind="query-params")


def verdict(guessed: str, right: str, because: str) -> None:
    """Whether the guess was right, and what was measured."""
    word = "Right" if guessed == right else f"You guessed “{guessed}”, and it is “{right}”"
    st.markdown(f"**{word}**: {because}")


def number_of_passes(config: ViTConfig, most: int, passes: float, things: str, key: str) -> int:
    """How many of `most` `things`, each of so many forward passes, are to be made of this model.

    All where that takes a moment; else as many as take one, and a switch that says what all of them cost; `key` is
    the page's stem where its files hold these things.
    """
    from vitviz.machine.price import at_once, seconds

    few = at_once(config, passes, most)
    if few == most:
        return most
    macs = round(most * passes * counts.total_macs(config))
    every = st.toggle(
        f"All {exact(most)} {things}: {short(macs)} multiply-adds, some {most * passes * seconds(config):.0f} s",
        key=switch_of_all(key),
        help=f"This model is large: {exact(few)} of {exact(most)} {things} are shown until you ask for all.",
    )
    return most if every else few
