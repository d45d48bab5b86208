"""What a link asks for and cannot have: Streamlit falls back without a word, so the word is said here."""

import re
from collections.abc import Container

import streamlit as st

MOST_DIGITS = 12  # of a number in a link
MARKDOWN = r"\`*_[]{}<>#$:~|!&"
# What is made of the finished text, where an escape no longer helps: arrows, icons, links of addresses.
JOINTS = re.compile(r"(?<=[-<>~])(?=[-<>=])|(?<=:)(?=[/\w])|(?<=www)(?=\.)|(?=@)", re.IGNORECASE)
WORD_JOINER = "\u2060"  # a space of no width


def heed(key: str, legal: Container[str] | range, what: str) -> None:
    """Say it quietly when the URL's `key` is none of the `legal` values; `what` describes those that are.

    To be called before the widget of that key is drawn: it takes the parameter away.
    """
    asked = st.query_params.get(key)
    if asked is None or key in st.session_state:
        return
    fits = is_number(asked) and int(asked) in legal if isinstance(legal, range) else asked in legal
    if not fits:
        name = key.replace("_", " ")
        st.toast(f"The link asks for {name} “{plain(asked)}”, and there is only {what}; the usual one is shown.")


def is_number(text: str) -> bool:
    """Whether text from a link is a whole number, of no more digits than `int` reads."""
    return text.isdecimal() and len(text) <= MOST_DIGITS


def literal(text: str) -> str:
    """A sentence that may quote a stranger's file, with all that Markdown would act on made harmless."""
    parted = JOINTS.sub(WORD_JOINER, text)
    return "".join(f"\\{letter}" if letter in MARKDOWN else letter for letter in parted)


def plain(text: str) -> str:
    """A stranger's words, short and without anything that Markdown would act on."""
    return "".join(letter for letter in text[:40] if letter.isalnum() or letter in " -_.")
