"""What the server changes about Streamlit before anybody comes, and that the reason is still there."""

import inspect

import pytest
import streamlit as st
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from vitviz.ui import preload


def test_no_files_are_watched_for_a_session_that_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    comes_back = inspect.getsource(WebsocketSessionManager)
    assert "existing_session.register_file_watchers()" in comes_back, "Streamlit asks first now; ours can go"
    before = AppSession.register_file_watchers
    monkeypatch.setattr(AppSession, "register_file_watchers", before)  # put back at the end
    for kind, changes in (("auto", False), ("none", True)):
        monkeypatch.setattr(st, "get_option", {"server.fileWatcherType": kind}.get)
        preload.watch_no_files()
        assert (AppSession.register_file_watchers is not before) == changes
