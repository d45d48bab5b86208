"""The file of one's own in the address: by its name on the server, or by the digest of what this browser brought."""

import streamlit as st

from vitviz.ui.links import came_by_url

FILE, SIZE = "file", "file_size"  # the parameters


def from_link(key: str) -> str:
    """The file that the link asks for; "" where this session holds one under that key, unless the hand went back."""
    return st.query_params.get(FILE, "") if key not in st.session_state or came_by_url() else ""


def size(key: str, usual: str) -> None:
    """Have the control of that key begin with the image size of the link, or else with the usual one."""
    if key not in st.session_state or (came_by_url() and SIZE in st.query_params):
        st.session_state[key] = st.query_params.get(SIZE, usual)


def say(file: str = "", size: str = "") -> None:
    """Let the address name a file and its image size, where that is not the usual one; without words, none."""
    for word, text in ((FILE, file), (SIZE, size)):
        if text and st.query_params.get(word) != text:
            st.query_params[word] = text
        elif not text and word in st.query_params:
            del st.query_params[word]
