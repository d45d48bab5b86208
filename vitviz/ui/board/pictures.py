"""Pictures on their way to the board."""

from io import BytesIO

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from PIL import Image

from vitviz.ui import results
from vitviz.ui.selection import Selection


def png(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """`h w c` as the bytes of a PNG file."""
    buffer = BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG")
    return np.frombuffer(buffer.getvalue(), np.uint8)


def seen(selection: Selection) -> NDArray[np.uint8]:
    """What the model sees, as a PNG file."""
    return _seen(selection.digest, selection)


@st.cache_resource(max_entries=200, show_spinner=False)
def _seen(key: str, _selection: Selection) -> NDArray[np.uint8]:
    """Kept, because compressing it takes longer than all the rest of a run."""
    return png(results.crop(_selection))
