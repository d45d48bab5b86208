"""What is changed about Streamlit, and that the reasons are still there."""

import inspect
import time
from contextlib import suppress
from threading import Event, Thread

import pytest
import streamlit as st
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from vitviz.ui import asking, mending


@pytest.fixture
def mended(monkeypatch):
    """Streamlit as the server has it, until the end of the test."""
    watched = []
    monkeypatch.setattr(AppSession, "register_file_watchers", watched.append)
    monkeypatch.setattr(MemorySessionStorage, "__init__", MemorySessionStorage.__init__)
    monkeypatch.setattr(ScriptRunner, "_run_script_thread", lambda runner: runner())
    mending.mend()
    return watched


def test_streamlit_still_watches_files_for_a_session_that_comes_back():
    assert "existing_session.register_file_watchers()" in inspect.getsource(WebsocketSessionManager)
    assert MemorySessionStorage()._cache.maxsize == 128


@pytest.mark.parametrize(("kind", "sessions"), [("auto", ["session"]), ("none", [])])
def test_no_files_are_watched_where_they_should_not_be(kind, sessions, mended, monkeypatch):
    monkeypatch.setattr(st, "get_option", {"server.fileWatcherType": kind}.get)
    AppSession.register_file_watchers("session")
    assert mended == sessions


def test_one_script_runs_at_a_time_and_gives_way_while_it_waits(mended):
    waits, running, seen = Event(), [], []

    def script():
        running.append(1)
        seen.append(len(running))
        with asking.turn_of_others():
            running.pop()
            waits.wait(0.05)
        running.append(1)
        seen.append(len(running))
        time.sleep(0.001)
        running.pop()

    threads = [Thread(target=ScriptRunner._run_script_thread, args=(script,)) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert seen == [1] * 40
    assert not asking._turn.locked()


def test_a_run_that_ends_while_others_have_the_turn_takes_it_back_for_the_next_in_its_thread(mended):
    seen = []

    def script():
        with suppress(KeyboardInterrupt), asking.turn_of_others():
            raise KeyboardInterrupt
        seen.append(asking._turn.locked())

    ScriptRunner._run_script_thread(script)
    assert seen == [True]
    assert not asking._turn.locked()


def test_a_hall_of_sessions_is_kept(mended):
    storage = MemorySessionStorage(ttl_seconds=77)
    assert (storage._cache.maxsize, storage._cache.ttl) == (mending.MOST_CUT_OFF, 77)
