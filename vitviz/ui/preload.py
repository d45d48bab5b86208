"""What the server imports and computes before it says that it is healthy."""

from contextlib import suppress

import plotly.graph_objects  # noqa: F401
import streamlit as st
from streamlit.runtime.app_session import AppSession

import vitviz.measures  # noqa: F401
from vitviz.device import DeviceError
from vitviz.ui import samples
from vitviz.ui.asking import engine
from vitviz.ui.view import FIRST_CHOICE
from vitviz.weights import WeightsError


def warm_up() -> None:
    """Walk the picture that everybody sees first; where that fails, the page will say why."""
    with suppress(DeviceError, WeightsError):
        engine().submit(FIRST_CHOICE.seeing(samples.first())).result()


def watch_no_files() -> None:
    """Keep Streamlit from looking for changed sources where `server.fileWatcherType` is "none".

    It knows better for a new session, but when a lost one comes back it looks through all of PyTorch's modules, and
    nobody is served for half a second (https://github.com/streamlit/streamlit/issues/8738 mended the first case only).
    """
    if st.get_option("server.fileWatcherType") == "none":
        AppSession.register_file_watchers = lambda session: None  # type: ignore[assignment]
