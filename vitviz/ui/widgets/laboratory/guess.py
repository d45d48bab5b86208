"""A guess before the answer: whoever has said what will happen looks more closely at what does."""

from collections.abc import Sequence

import streamlit as st

from vitviz.choice import Choice


def guess(choice: Choice, question: str, answers: Sequence[str]) -> str | None:
    """Ask what will happen; the answer that was given, kept in the address, None until there is one."""
    return st.segmented_control(question, answers, key=choice.word, bind="query-params")


def verdict(guessed: str, right: str, because: str) -> None:
    """Whether the guess was right, and what was measured."""
    word = "Right" if guessed == right else f"You guessed “{guessed}”, and it is “{right}”"
    st.markdown(f"**{word}**: {because}")
