"""Sessions whose connection has ended, for as long as their visitors may come back."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Any
from weakref import ref

from streamlit import config

from vitviz.ui.private import AppSession, SessionInfo, SessionStorage, WebsocketSessionManager
from vitviz.ui.server import open_files
from vitviz.ui.server.turns import Word, say

MOST_CUT_OFF = 1000  # sessions; Streamlit keeps 128, and a hall whose Wi-Fi fails has more
FREE = 1 / 8  # of the files that may be open: what those who come have before those who left. A session has three open


class CutOffSessions(SessionStorage):
    """Sessions by name, the last ones that were cut off, for `seconds` each.

    Streamlit's own forgets a session that is over its time only when the next one is cut off: what the last visitors
    uploaded stayed for ever. Here each goes when its time comes, and earlier where the process has few files left to
    open, the oldest first. To be used in the server's event loop.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._sessions: OrderedDict[str, tuple[float, SessionInfo]] = OrderedDict()  # with the time when it goes

    def get(self, session_id: str) -> SessionInfo | None:
        """The session of that name, if its time is not over."""
        until, info = self._sessions.get(session_id, (0.0, None))
        return info if time.monotonic() < until else None

    def save(self, session_info: SessionInfo) -> None:
        """Keep a session that was cut off."""
        self._sessions[session_info.session.id] = time.monotonic() + self._seconds, session_info
        self.make_room()
        asyncio.get_running_loop().call_later(self._seconds, self.tidy)

    def delete(self, session_id: str) -> None:
        """Let go of a session, which goes on or is over."""
        self._sessions.pop(session_id, None)

    def list(self) -> list[SessionInfo]:
        """All that are kept."""
        return [info for _, info in self._sessions.values()]

    def tidy(self) -> None:
        """End the sessions whose time is over."""
        while self._sessions and next(iter(self._sessions.values()))[0] <= time.monotonic():
            self._end_oldest()

    def make_room(self) -> None:
        """End the oldest sessions where there are too many, or too few files left to open."""
        while len(self._sessions) > MOST_CUT_OFF or (self._sessions and open_files.free_share() < FREE):
            self._end_oldest()

    def _end_oldest(self) -> None:
        _, (_, info) = self._sessions.popitem(last=False)
        info.session.shutdown()


class SessionManager(WebsocketSessionManager):
    """Streamlit's session manager, which ends old sessions to make room, and watches no files where that is off."""

    def __init__(self, session_storage: CutOffSessions, **options: Any) -> None:
        callback = options.pop("message_enqueued_callback")
        super().__init__(session_storage, message_enqueued_callback=_once(callback), **options)
        self._cut_off = session_storage

    def connect_session(self, *args: Any, **options: Any) -> str:
        """The name of the session that a connection begins, or goes on with.

        Streamlit heeds `server.fileWatcherType` for a new session, but not for one that comes back, and then looks
        through all of PyTorch's modules: nobody is served for half a second
        (https://github.com/streamlit/streamlit/issues/8738 fixed the first case only).
        """
        self._cut_off.make_room()
        name = super().connect_session(*args, **options)
        if info := self.get_active_session_info(name):
            _speak_in_turns(info.session)
            if config.get_option("server.fileWatcherType") == "none":
                info.session.register_file_watchers = _nothing  # type: ignore[method-assign]
        return name


def _speak_in_turns(session: AppSession) -> None:
    """Wake the server's loop once for all that a script of this session says in its turn."""
    listens = ref(session)  # one that held itself would stay, with its picture, until the garbage is collected

    def tell(words: list[Word]) -> None:
        if there := listens():
            AppSession._call_soon_on_event_loop(there, partial(_do_all, there._event_loop, words))

    session._call_soon_on_event_loop = partial(say, tell=tell)  # type: ignore[method-assign]


def _do_all(loop: asyncio.AbstractEventLoop, words: list[Word]) -> None:
    for word in words:
        loop.call_soon(word)


def _once(tell: Callable[[], None]) -> Callable[[], None]:
    """`tell` once for all that is put into queues in one step of the server's loop."""
    telling = False

    def tell_all() -> None:
        nonlocal telling
        telling = False
        tell()

    def tell_once() -> None:
        nonlocal telling
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # whoever watches files, in a thread
            tell()
            return
        if not telling:
            telling = True
            loop.call_soon(tell_all)

    return tell_once


def _nothing() -> None:
    """Watch no file."""
