"""Whether a picture is a photograph or drawn, which model knows such pictures, and the rule that chooses it.

The rule holds where nobody has chosen a model. Only a hand that brings or picks a picture starts it, no link, no lesson
and no step back. It changes the model that everybody begins with, or one that it has chosen itself; whoever chooses a
model keeps it as long as the session lasts.
"""

from dataclasses import dataclass

import streamlit as st

from vitviz import results
from vitviz.config import PRESETS
from vitviz.images.flat import MOST_OF_A_PHOTOGRAPH
from vitviz.messages import Match
from vitviz.numbers import percent
from vitviz.selection import FIRST_MODEL, Picture, Selection
from vitviz.shelf.rows import SHELF
from vitviz.ui.links import came_by_url

KNOWS_SCENES, KNOWS_PHOTOGRAPHS = "demo", "photo"
OF_SCENES = (KNOWS_SCENES, *SHELF)  # models that learned from drawn scenes
PICKED = "picture_picked"  # in the session: whether a hand has just chosen a picture
MODEL_CHOSEN = "model_held"  # whether somebody has chosen a model
CHOSEN = "model_suited"  # what the rule chose last
SEEN = "picture_suited"  # the digest of the picture of the last run


@dataclass(frozen=True, slots=True)
class Kind:
    """What a picture is taken for, and in words what it is and why."""

    photograph: bool
    words: str

    @property
    def model(self) -> str:
        """The model that learned from such pictures."""
        return KNOWS_PHOTOGRAPHS if self.photograph else KNOWS_SCENES


def kind_of(picture: Picture) -> Kind:
    """What a picture is taken for; samples are known. Raises `ImageError`."""
    if picture.id != "own":
        return Kind(not picture.drawn, "A drawn scene" if picture.drawn else "A photograph")
    seen = results.photo(picture)
    side = PRESETS[KNOWS_SCENES].image_size
    if seen.size == (side, side):
        return Kind(False, f"Taken for a drawn scene (it has {side} × {side} pixels, as all of the demo model)")
    flat, most = percent(seen.flat), f"{MOST_OF_A_PHOTOGRAPH:.0%}".replace("%", " %")
    if seen.flat > MOST_OF_A_PHOTOGRAPH:
        return Kind(False, f"Taken for a drawing ({flat} of it is flat colour; a photograph has at most {most})")
    return Kind(True, f"Taken for a photograph ({flat} of it is flat colour; a drawing has over {most})")


def match(selection: Selection) -> Match | None:
    """What is to be said of a model that ships and a picture; None of a scene before a model of scenes."""
    model, picture = selection.model.name, selection.picture
    if model in OF_SCENES and not picture.drawn:
        kind = kind_of(picture)
        name = "the demo model" if model == KNOWS_SCENES else "a model"
        why = f"{kind.words}, shown with {name} that learned from drawn scenes."
        says = "unlike its training" if kind.photograph else "photograph model instead"
        label = "show it with the photograph model"
        return {"says": says, "why": why, "other": KNOWS_PHOTOGRAPHS, "label": label}
    if model == KNOWS_PHOTOGRAPHS:
        kind = kind_of(picture)
        says = "demo instead" if kind.photograph else "unlike its training"
        why = f"{kind.words}, shown with the model that learned from photographs."
        return {"says": says, "why": why, "other": KNOWS_SCENES, "label": "show it with the demo model"}
    return None


def picked() -> None:
    """A hand has chosen a picture, in a callback or as a file came."""
    st.session_state[PICKED] = True


def hold() -> None:
    """Somebody has chosen a model."""
    st.session_state[MODEL_CHOSEN] = True


def suited(picture: Picture) -> str | None:
    """The model that is to take the place of the one on screen; None where that stays."""
    by_hand = st.session_state.pop(PICKED, False) and st.session_state.get(SEEN) != picture.digest
    st.session_state[SEEN] = picture.digest
    in_link, first = st.query_params.get("model"), FIRST_MODEL.name
    if came_by_url():
        if in_link == first:  # by its name: a link to it, as the one that leads back from the photograph model
            hold()
        return None
    on_screen = st.session_state.get("model", in_link or first)
    if not by_hand or MODEL_CHOSEN in st.session_state or on_screen not in (first, st.session_state.get(CHOSEN)):
        return None
    suitable = kind_of(picture).model
    if suitable == on_screen:
        return None
    st.session_state[CHOSEN] = suitable
    return suitable
