"""Sessions that were cut off: how many are kept, how long, and that Streamlit's own manager still needs the help."""

import asyncio
import gc
import inspect
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import Any
from weakref import ref

import pytest
from streamlit import config
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.script_data import ScriptData
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.session_manager import SessionInfo
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager
from streamlit.web.server.app_discovery import discover_asgi_app

from tests.browser.server import ROOT
from vitviz.ui.server import open_files, turns
from vitviz.ui.server.sessions import FREE, MOST_CUT_OFF, CutOffSessions, SessionManager, _speak_in_turns

LONG = 3600  # seconds
SCRIPT = ScriptData(str(ROOT / "vitviz" / "ui" / "main.py"), is_hello=False)


@dataclass
class Session:
    """What the storage asks of a session."""

    id: str
    ends: list[str] = field(default_factory=list)

    def shutdown(self) -> None:
        self.ends.append(self.id)


def info(name: str, ends: list[str]) -> SessionInfo:
    session: Any = Session(name, ends)
    return SessionInfo(client=None, session=session)


@pytest.fixture
def plenty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_files, "limit", lambda: 1_000_000)


def test_a_hall_of_sessions_is_kept(plenty: None) -> None:
    async def cut_off() -> None:
        ends: list[str] = []
        kept = CutOffSessions(LONG)
        for place in range(MOST_CUT_OFF + 2):
            kept.save(info(str(place), ends))
        assert len(kept.list()) == MOST_CUT_OFF == 1000
        assert ends == ["0", "1"]
        assert kept.get("1") is None
        assert (two := kept.get("2"))
        assert two.session.id == "2"

    asyncio.run(cut_off())
    streamlits: Any = MemorySessionStorage()
    assert streamlits._cache.maxsize == 128


def test_the_last_session_ends_when_its_time_is_over_though_nobody_comes_or_goes(plenty: None) -> None:
    async def cut_off() -> tuple[list[str], list[SessionInfo]]:
        ends: list[str] = []
        kept = CutOffSessions(0.05)
        kept.save(info("last", ends))
        assert kept.get("last") is not None
        await asyncio.sleep(0.2)
        return ends, kept.list()

    assert asyncio.run(cut_off()) == (["last"], [])


def test_who_comes_back_is_not_ended(plenty: None) -> None:
    async def cut_off() -> list[str]:
        ends: list[str] = []
        kept = CutOffSessions(0.05)
        kept.save(info("back", ends))
        kept.delete("back")
        kept.delete("back")
        await asyncio.sleep(0.2)
        return ends

    assert asyncio.run(cut_off()) == []


def test_fewer_are_kept_where_few_files_may_be_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each session takes three; what is left over is for those who come."""
    limit, own = 1024, 60
    kept = CutOffSessions(LONG)
    monkeypatch.setattr(open_files, "limit", lambda: limit)
    monkeypatch.setattr(open_files, "open_now", lambda: own + 3 * len(kept.list()))

    async def cut_off() -> list[str]:
        ends: list[str] = []
        for place in range(400):
            kept.save(info(str(place), ends))
        return ends

    ends = asyncio.run(cut_off())
    most = int((limit * (1 - FREE) - own) / 3)
    assert len(kept.list()) == most == 278
    assert ends == [str(place) for place in range(400 - most)]


def test_open_files_are_counted(tmp_path: Path) -> None:
    before = open_files.open_now()
    files = [(tmp_path / str(place)).open("w") for place in range(50)]
    assert open_files.open_now() == before + 50
    assert 0 < open_files.free_share() < 1
    for file in files:
        file.close()
    assert open_files.open_now() == before


@pytest.mark.parametrize(("kind", "times"), [("none", 0), ("poll", 1)])
def test_files_are_not_watched_for_a_session_that_comes_back_where_nobody_asked_for_it(
    kind: str, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = []
    monkeypatch.setattr(AppSession, "register_file_watchers", lambda session: watched.append(session.id))
    asked = config.get_option
    monkeypatch.setattr(config, "get_option", lambda name: kind if name == "server.fileWatcherType" else asked(name))
    name, again = asyncio.run(come_back())
    assert again == name
    assert watched == [name] * (2 * times)
    assert "existing_session.register_file_watchers()" in inspect.getsource(WebsocketSessionManager)


def sessions(told: Callable[[], None]) -> SessionManager:
    """A manager as the server has one; `told` hears that there is something to send."""
    return SessionManager(
        session_storage=CutOffSessions(LONG),
        uploaded_file_manager=MemoryUploadedFileManager("/upload"),
        script_cache=ScriptCache(),
        message_enqueued_callback=told,
    )


async def come_back() -> tuple[str, str]:
    """The names of a session that connects, is cut off, and connects again."""
    manager = sessions(lambda: None)
    name = manager.connect_session(None, SCRIPT, {})
    manager.disconnect_session(name)
    again = manager.connect_session(None, SCRIPT, {}, existing_session_id=name)
    manager.close_session(again)
    return name, again


def test_the_loop_wakes_once_for_all_that_a_script_says(monkeypatch: pytest.MonkeyPatch) -> None:
    woken: list[str] = []
    sent: list[int] = []
    done: list[int] = []
    wake = AppSession._call_soon_on_event_loop

    def count(session: AppSession, do: Callable[[], None]) -> None:
        woken.append(session.id)
        wake(session, do)

    monkeypatch.setattr(AppSession, "_call_soon_on_event_loop", count)
    monkeypatch.setattr(ScriptRunner, "_run_script_thread", lambda runner: runner())
    turns.take_turns()

    async def many() -> None:
        manager = sessions(lambda: sent.append(len(done)))
        name = manager.connect_session(None, SCRIPT, {})
        found = manager.get_active_session_info(name)
        assert found
        session: Any = found.session

        def enqueue() -> None:
            done.append(len(done))
            session._message_enqueued_callback()

        def script() -> None:
            for _ in range(30):
                session._call_soon_on_event_loop(enqueue)

        run: Any = ScriptRunner._run_script_thread
        thread = Thread(target=run, args=(script,))
        thread.start()
        while not sent:
            await asyncio.sleep(0.001)
        thread.join(60)
        manager.close_session(name)

    asyncio.run(many())
    assert sent == [30]
    assert len(woken) == 1


def test_streamlit_run_finds_the_app() -> None:
    assert discover_asgi_app(ROOT / "app.py").import_string == "app:app"


def test_the_app_imported_twice_changes_nothing_of_streamlits() -> None:
    program = """
import importlib, sys
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
classes = AppSession, MemorySessionStorage, ScriptRunner
before = [dict(vars(it)) for it in classes]
import app
first = app.app
importlib.reload(app)
assert app.app is not first and type(app.app) is type(first)
assert type(first).__module__ == "vitviz.ui.server.streamlit_app"
assert [dict(vars(it)) for it in classes] == before
runtime = app.app._create_runtime()  # what the server does first
assert type(runtime._session_mgr).__module__ == "vitviz.ui.server.sessions"
assert ScriptRunner._run_script_thread.in_turn
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_session_that_has_ended_is_gone_before_garbage_is_collected() -> None:
    class Session:
        _event_loop = None

    session: Any = Session()
    _speak_in_turns(session)
    there = ref(session)
    gc.disable()
    try:
        del session
        assert there() is None
    finally:
        gc.enable()
