"""Validation of a link's parameters, with a notice for each that is refused, and escaping of untrusted text.

Streamlit itself falls back without a word. Untrusted text: `quoted` for a few words in a sentence of ours, `escaped`
for a whole sentence.
"""

import re
from collections.abc import Container
from typing import TYPE_CHECKING

import streamlit as st

from vitviz.ui.sidebar.own_model import FIELDS

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

# Numbers in links, as the app writes them. Streamlit reads more ("1e3", "+5", "1_0"), and "Infinity" is an error page.
WHOLE = re.compile(r"\d{1,12}", re.ASCII)
DECIMAL = re.compile(r"\d{1,12}(\.\d{1,17})?", re.ASCII)
SIDES = re.compile(r"[1-9]\d{0,5}(x[1-9]\d{0,5})?", re.ASCII)
SIZES = (*(field.name for field in FIELDS.values() if field.whole and not field.sided), "head_classes")
PLACES = ("layer", "head", "component", "through", "after", "moment")
GROWN = ("grown_image_size", "grown_patch_size", "grown_depth", "grown_dim")
COUNTING = (*GROWN, "batch", "kernel", "sequence")
TRIED = ("draw", "batch_size", "norm_layer", "drawn_seed", "shot_classes", "shots")  # in the laboratory
RATES = ("dropout_rate", "drop_path_rate", "penalty")
NUMBERS = dict.fromkeys((*SIZES, *PLACES, *COUNTING, *TRIED, "seed"), WHOLE) | dict.fromkeys(
    ("budget", *RATES), DECIMAL
)
NUMBERS |= {field.name: SIDES for field in FIELDS.values() if field.sided}
UNKNOWN_PAGE = "unknown"  # the last part of an address that leads to no page
MOST_LETTERS = 40  # of untrusted words
MARKDOWN = r"\`*_[]{}<>#$:~|!&"
# What is made of the finished text, where an escape no longer helps: arrows, icons, links of addresses.
JOINTS = re.compile(r"(?<=[-<>~])(?=[-<>=])|(?<=:)(?=[/\w])|(?<=www)(?=\.)|(?=@)", re.IGNORECASE)
WORD_JOINER = "\u2060"  # a space of no width


def drop_invalid_numbers() -> None:
    """Take parameters that should be numbers and are none out of the URL, and begin the run again without them.

    To be called in every run before a widget is drawn; `report_dropped` says so.
    """
    given = st.query_params.to_dict()
    empty = [key for key, text in given.items() if not text.strip()]  # Streamlit's choices take them for none
    for key in empty:
        del st.query_params[key]
    asked = {key: " ".join(st.query_params.get_all(key)) for key in NUMBERS if key in given}
    wrong = {key: text for key, text in asked.items() if text and not NUMBERS[key].fullmatch(text)}
    if wrong:
        kinds = {WHOLE: "no whole number", DECIMAL: "no number", SIDES: "no number of pixels, nor two"}
        st.session_state["no_numbers"] = [
            _sentence(key, text, f"that is {kinds[NUMBERS[key]]}") for key, text in wrong.items()
        ]
        for key in wrong:
            del st.query_params[key]
    if empty or wrong:
        st.rerun()


def report_dropped() -> None:
    """Notify the visitor of every parameter that was dropped, in the run that goes through."""
    for sentence in st.session_state.pop("no_numbers", ()):
        say(sentence)


def say_what_page_is_unknown(notice: "DeltaGenerator") -> None:
    """That the address of this visit leads to no page; the board takes the word out of the address."""
    if name := st.query_params.get(UNKNOWN_PAGE):
        notice.warning(
            f"There is no page “{quoted(name)}”. This is the first page; the boxes above lead to the others.", icon="ℹ️"
        )


def check_choice(key: str, legal: Container[str], what: str) -> None:
    """Notify the visitor when the URL's `key` is none of the `legal` values; `what` describes those.

    To be called before the widget of that key is drawn: it takes the parameter away.
    """
    asked = st.query_params.get(key)
    if asked is not None and asked not in legal and key not in st.session_state:
        say(_sentence(key, asked, f"there are only {what}"))


def check_number(key: str, least: float, most: float) -> None:
    """`check_choice` for one of the `NUMBERS`: what is no number has been dropped before."""
    asked = st.query_params.get(key)
    if asked and not least <= float(asked) <= most and key not in st.session_state:
        say(_sentence(key, asked, f"there is only {_name(key)} {least:,} to {most:,}"))


def escaped(text: str) -> str:
    """A sentence that may quote an untrusted file, with all its Markdown escaped."""
    parted = JOINTS.sub(WORD_JOINER, text)
    return "".join(f"\\{letter}" if letter in MARKDOWN else letter for letter in parted)


def quoted(text: str) -> str:
    """Untrusted words, shortened, letters and digits only, with their Markdown escaped."""
    short = text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 1]}…"
    return escaped("".join(letter for letter in short if letter.isalnum() or letter in " -_.…"))


def say(sentence: str) -> None:
    """Notify the visitor of something about the link; `quoted` parts of it only."""
    st.toast(sentence, duration="long")  # a hall reads slowly


def _sentence(key: str, asked: str, why_not: str) -> str:
    return f"The link asks for {_name(key)} “{quoted(asked)}”, and {why_not}; the usual one is shown."


def _name(key: str) -> str:
    return key.replace("_", " ")
