"""Validation of a link's parameters, with a notice for each that is refused, and escaping of untrusted text.

Streamlit itself falls back without a word. Untrusted text: `quoted` for a few words in a sentence of ours, `escaped`
for a whole sentence.
"""

import re
from collections.abc import Container
from typing import TYPE_CHECKING

import streamlit as st

from vitviz.addresses.place import COUNTED, IN_BLOCKS
from vitviz.choices import NUMBERS, refusal
from vitviz.config import ViTConfig
from vitviz.ui import notices
from vitviz.ui.private import get_script_run_ctx

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

SENTENCES, MAX_SENTENCES = "said of the link", 4  # in the session; sentences of one notice
UNKNOWN_PAGE = "unknown"  # the last part of an address that leads to no page
MOST_LETTERS = 40  # of untrusted words
MARKDOWN = r"\`*_[]{}<>#$:~|!&"
# What is made of the finished text, where an escape no longer helps: arrows, icons, links of addresses.
JOINTS = re.compile(r"(?<=[-<>~])(?=[-<>=])|(?<=:)(?=[/\w])|(?<=www)(?=\.)|(?=@)", re.IGNORECASE)
WORD_JOINER = "\u2060"  # a space of no width


def drop_invalid_numbers() -> None:
    """Take numbers that the app does not take out of the URL, before a widget reads them: Streamlit ends in an error.

    To be called in every run before a widget is drawn; `report_dropped` says so.
    """
    words = st.query_params.to_dict()
    empty = [key for key, text in words.items() if not text.strip()]  # Streamlit's choices take them for none
    numbers_ = {key: " ".join(st.query_params.get_all(key)) for key in words if key in NUMBERS and key not in empty}
    wrong = {key: why for key, text in numbers_.items() if (why := refusal(key, text))}
    forget(*empty, *wrong)
    if wrong:
        st.session_state["no_numbers"] = {key: numbers_[key] for key in wrong}


def forget(*words: str) -> None:
    """Take words out of the URL, also of widgets that are bound to them, which then read the URL without.

    `st.query_params` lets nobody delete the word of a bound widget, though the widget has yet to read it.
    """
    context = get_script_run_ctx()
    if not words or context is None:
        return
    with context.session_state.query_params() as params:
        for word in words:
            params.remove_param(word)
        params.set_initial_query_params_from_current()


def came_by_url() -> bool:
    """Whether the browser asks for all that its URL says, as after Back, and not for what its controls do."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def say_again(word: str, usual: object) -> None:
    """Have Streamlit write into the URL what a control holds, where the URL of this run lacks it; before it is drawn.

    What a script sets, as the name of a model, Streamlit writes with all the rest of the URL as that run found it. What
    a hand has chosen meanwhile, as a picture, goes out of the URL with that, and comes back with this.
    """
    value = st.session_state.get(word, usual)
    if value != usual and word not in st.query_params:
        st.session_state[word] = value


def follow_usual(word: str, usual: object) -> None:
    """Have a control that stands at what was usual stand at what is usual now; before it is drawn.

    What is usual follows the model, and no address says it.
    """
    was = st.session_state.get(f"{word} usual", usual)
    st.session_state[f"{word} usual"] = usual
    if was != usual and word not in st.query_params and st.session_state.get(word) == was:
        st.session_state[word] = usual


def report_dropped(config: ViTConfig) -> None:
    """Say of each number that was dropped what there is and what is shown, in the run that goes through."""
    for key, text in st.session_state.pop("no_numbers", {}).items():
        why = refusal(key, text, config) or refusal(key, text)
        say(f"The link asks for {_name(key)} “{quoted(text)}”, and {why}; {_instead(key, config)}.")


def _instead(key: str, config: ViTConfig) -> str:
    """What stands for a number that was dropped; nothing where this page has no control of it."""
    value = COUNTED[key].usual_of(config) if key in IN_BLOCKS else st.session_state.get(key)
    return "it is left out" if value in (None, "") else f"{value} is shown"


def notify() -> None:
    """Tell the visitor all that was said in this run, in one notice."""
    sentences = st.session_state.pop(SENTENCES, [])
    if more := len(sentences) - MAX_SENTENCES:
        sentences[MAX_SENTENCES:] = [f"Of this link, {more} more cannot be had as they stand."] if more > 0 else []
    if sentences:
        st.toast("\n\n".join(sentences), duration="long")  # a hall reads slowly


def say_what_page_is_unknown(notice: "DeltaGenerator") -> None:
    """That the address of this visit leads to no page; the board takes the word out of the address."""
    if name := st.query_params.get(UNKNOWN_PAGE):
        with notice:
            notices.warn(
                f"There is no page “{quoted(name)}”. This is the first page; the boxes above lead to the others.",
                icon="ℹ️",
            )


def check_choice(key: str, legal: Container[str], what: str, instead: str = "the usual one") -> None:
    """Notify the visitor when the URL's `key` is none of the `legal` values; `what` describes those.

    To be called before the widget of that key is drawn: it takes the parameter away.
    """
    text = st.query_params.get(key)
    if text is not None and text not in legal and key not in st.session_state:
        say(_sentence(key, text, f"there are only {what}", instead))


def check_number(key: str, least: float, most: float) -> None:
    """`check_choice` for a number whose range only the page knows: what is no number has been dropped before."""
    text = st.query_params.get(key)
    if text and not least <= float(text) <= most and key not in st.session_state:
        usual = most if key == "after" else least
        say(_sentence(key, text, f"there is only {_name(key)} {least:,} to {most:,}", f"{usual:,}"))


def escaped(text: str) -> str:
    """A sentence that may quote an untrusted file, with all its Markdown escaped."""
    parted = JOINTS.sub(WORD_JOINER, text)
    return "".join(f"\\{letter}" if letter in MARKDOWN else letter for letter in parted)


def quoted(text: str) -> str:
    """Untrusted words, shortened, letters and digits only, with their Markdown escaped."""
    short = text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 1]}…"
    return escaped("".join(letter for letter in short if letter.isalnum() or letter in " -_.…"))


def say(sentence: str) -> None:
    """Let `notify` tell the visitor something about the link; `quoted` parts of it only."""
    st.session_state.setdefault(SENTENCES, []).append(sentence)


def _sentence(key: str, text: str, why_not: str, instead: str = "the usual one") -> str:
    return f"The link asks for {_name(key)} “{quoted(text)}”, and {why_not}; {instead} is shown."


def _name(key: str) -> str:
    return key.replace("_", " ")
