"""The square of the picture that the model sees, where somebody has chosen one: it stands in the address."""

import re

import streamlit as st

from vitviz.images import Crop
from vitviz.ui.links import check_choice
from vitviz.ui.selection import Picture

LINK = "crop"  # the parameter
FORM = re.compile(r"(\d{1,5})-(\d{1,5})-(\d{1,4})", re.ASCII)
LEAST, MOST = 20, 1000  # thousandths of the shorter side


def asked(picture: Picture) -> Crop | None:
    """The square that the address asks for; a picture that has just been chosen is seen as its model wants it."""
    before = st.session_state.get("cropped", picture.digest)
    st.session_state["cropped"] = picture.digest
    text = st.query_params.get(LINK)
    if text is None:
        return None
    crop = read(text)
    check_choice(
        LINK, [text] if crop else [], f"squares, left-top-side in thousandths; the side from {LEAST} to {MOST}"
    )
    if crop and before == picture.digest:
        return crop
    del st.query_params[LINK]
    return None


def read(text: str) -> Crop | None:
    """A square as the address writes it, "left-top-side" in thousandths of the picture's shorter side."""
    found = FORM.fullmatch(text)
    crop = Crop(*map(int, found.groups())) if found else None
    return crop if crop and LEAST <= crop.side <= MOST else None


def written(crop: Crop | None) -> str:
    """The same the other way round; "" for what the model chooses itself."""
    return f"{crop.left}-{crop.top}-{crop.side}" if crop else ""
