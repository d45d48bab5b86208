"""The square of the picture that the model sees, where somebody has chosen one: it stands in the address."""

import streamlit as st

from vitviz.addresses.place import LEAST_SIDE, MOST_SIDE, read_crop
from vitviz.images import Crop
from vitviz.selection import Picture
from vitviz.ui.links import check_choice

LINK = "crop"  # the parameter


def crop_of(picture: Picture) -> Crop | None:
    """The square that the address asks for; a picture that has just been chosen is seen as its model wants it."""
    before = st.session_state.get("cropped", picture.digest)
    st.session_state["cropped"] = picture.digest
    text = st.query_params.get(LINK)
    if text is None:
        return None
    crop = read_crop(text)
    check_choice(
        LINK,
        [text] if crop else [],
        f"squares, left-top-side in thousandths; the side from {LEAST_SIDE} to {MOST_SIDE}",
    )
    if crop and before == picture.digest:
        return crop
    del st.query_params[LINK]
    return None
