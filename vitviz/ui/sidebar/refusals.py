"""Why what was chosen is not on the page: said beside the choice, and on the page, which shows what was before."""

from typing import TYPE_CHECKING

import streamlit as st

from vitviz.selection import Selection
from vitviz.ui import notices
from vitviz.ui.links import escaped
from vitviz.ui.sidebar.uploads import ARRIVED

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

REFUSALS = "refusals"  # in the session: sentences of this run for the page, of the model and of the picture
SUBJECTS = {"model": "The model chosen in the sidebar", "picture": "The picture that you brought"}
STAYS = {"model": "The previous model is still shown.", "picture": "You still see the previous picture."}


def begin() -> None:
    """Forget what was said in the last run; to be called before anything is chosen."""
    st.session_state[REFUSALS] = {}


def refuse(what: str, why: str) -> None:
    """Say beside the choice why a "model" or a "picture" cannot be used, in a sentence without its full stop."""
    st.error(f"{why}. {STAYS[what]}")
    on_the_page(what, f"{SUBJECTS[what]} cannot be used: {why}.")


def on_the_page(what: str, sentence: str) -> None:
    """Say on the page why it does not show what was asked for."""
    st.session_state[REFUSALS][what] = sentence


def draw(selection: Selection, place: "DeltaGenerator") -> None:
    """All that was said, above the board."""
    sentences = st.session_state[REFUSALS]
    titles = {"model": escaped(selection.model.title), "picture": escaped(selection.picture.title)}
    if sentences:
        text = "\n\n".join(f"{sentence} You still see **{titles[what]}**." for what, sentence in sentences.items())
        with place:
            notices.warn(text, occasion=st.session_state.get(ARRIVED, ""))
