"""The limit up to which a page draws all tokens against all tokens."""

import streamlit as st

from vitviz import numbers

LARGEST_MATRIX = 1500  # tokens; its weights are 9 MB on the way to the browser


def matrix_fits(tokens: int, what: str) -> bool:
    """Whether a page can draw all tokens against all tokens; where not, it says so."""
    if tokens > LARGEST_MATRIX:
        st.caption(
            f"{numbers.exact(tokens)} × {numbers.exact(tokens)} {what} are more than a page can draw; "
            f"the matrix is shown up to {numbers.exact(LARGEST_MATRIX)} tokens."
        )
    return tokens <= LARGEST_MATRIX
