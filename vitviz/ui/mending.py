"""What Streamlit 1.67 does to a class, and gives no setting for. Tests say when the reasons are gone."""

from functools import partialmethod

import streamlit as st
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner

from vitviz.ui.asking import turn

MOST_CUT_OFF = 1000  # sessions; Streamlit keeps 128, and a hall whose Wi-Fi fails has more


def mend() -> None:
    """To be called once, before the server starts."""
    ScriptRunner._run_script_thread = _in_turn(ScriptRunner._run_script_thread)  # type: ignore[method-assign]
    AppSession.register_file_watchers = _unless_off(AppSession.register_file_watchers)  # type: ignore[method-assign]
    remember = partialmethod(MemorySessionStorage.__init__, MOST_CUT_OFF)
    MemorySessionStorage.__init__ = remember  # type: ignore[method-assign, assignment]


def _in_turn(run):  # type: ignore[no-untyped-def]
    """What a script's thread does, in its turn: from its first step on, or two hundred that start at once would keep
    the server from its own answers for seconds."""

    def _run_script_thread(runner: ScriptRunner) -> None:
        with turn():
            run(runner)

    return _run_script_thread


def _unless_off(register):  # type: ignore[no-untyped-def]
    """`register_file_watchers` that heeds `server.fileWatcherType`.

    Streamlit asks for a new session, but not for one that comes back, and then looks through all of PyTorch's modules:
    nobody is served for half a second (https://github.com/streamlit/streamlit/issues/8738 mended the first case only).
    """

    def register_file_watchers(session: AppSession) -> None:
        if st.get_option("server.fileWatcherType") != "none":
            register(session)

    return register_file_watchers
