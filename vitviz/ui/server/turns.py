"""One visitor's script at a time; first who brings a file, then who comes back from the engine, then who begins.

Python runs one thread at a time anyway, and lets each wait in line for its lock again after every step. With a hundred
scripts in that line the server's own answers came after them. For the same reason what a script says is told when its
turn ends: Streamlit wakes the server's loop for every element of a page.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from heapq import heappop, heappush
from itertools import count
from threading import Event, Lock, get_ident, local
from typing import Concatenate, ParamSpec, TypeVar

from vitviz.ui.private import ScriptRunner
from vitviz.ui.server.uploads import Uploads

# Who waits for a turn: scripts of sessions that brought a file, then those that have had one, then all others. A hall
# that slides has a turn every few ms; somebody who brings a picture waited behind all of it.
BRINGS, BACK, NEW = range(3)
TELL_DELAY_S = 0.05  # seconds until what a script says is told before its turn ends

P = ParamSpec("P")
T = TypeVar("T")

Word = Callable[[], None]
Tell = Callable[[list[Word]], None]


class _Thread(local):
    """Whether a thread has the turn, its rank, what it said in its turn, since when, and whom that is told.

    `called` is set when its script should end, or begin again.
    """

    def __init__(self) -> None:
        self.called = Event()
        self.turn = False
        self.rank = NEW
        self.words: list[Word] = []
        self.since = 0.0
        self.tell: Tell = list.clear


_thread = _Thread()


class Turn:
    """A lock that goes to who came first, of those of the lowest rank that waits."""

    def __init__(self) -> None:
        self._lock = Lock()  # guards the next two
        self._is_taken = False
        self._waiting: list[tuple[int, int, Lock]] = []
        self._numbers = count()

    @property
    def is_taken(self) -> bool:
        """Whether anybody has it."""
        return self._is_taken

    def take(self, rank: int) -> None:
        """Wait for it."""
        with self._lock:
            if not self._is_taken:
                self._is_taken = True
                return
            mine = Lock()
            mine.acquire()
            heappush(self._waiting, (rank, next(self._numbers), mine))
        mine.acquire()

    def end(self) -> None:
        """Hand it on."""
        with self._lock:
            if self._waiting:
                heappop(self._waiting)[-1].release()
            else:
                self._is_taken = False


_turn = Turn()
_under_way: set[int] = set()  # threads whose script has begun, whatever it waits for


def under_way() -> int:
    """How many pages this server makes or lets wait: for their turn, for the engine."""
    return len(_under_way)


def take_turns() -> None:
    """Let only one script run at a time, of the server or of AppTest; to be called before the first of them.

    A thread of Streamlit's waits from its first step on. Where only the script itself did, two hundred that start at
    once kept the server from its own answers for more than a second.
    """
    if not hasattr(ScriptRunner._run_script_thread, "in_turn"):
        ScriptRunner._run_script_thread = _in_turn(ScriptRunner._run_script_thread)  # type: ignore[method-assign, assignment]
        ScriptRunner.request_rerun = _calling(ScriptRunner.request_rerun)  # type: ignore[method-assign, assignment]
        ScriptRunner.request_stop = _calling(ScriptRunner.request_stop)  # type: ignore[method-assign, assignment]


@contextmanager
def turn_of_others() -> Iterator[None]:
    """Give the turn away while this script waits for something else than Python."""
    if not _thread.turn:  # a script that is run without Streamlit's threads takes no turns
        yield
        return
    _end_turn()
    try:
        yield
    finally:  # even if the run ends here: the same thread may begin the next one
        _take_turn(min(_thread.rank, BACK))


@contextmanager
def in_turn() -> Iterator[None]:
    """Have a turn in a thread that is no script's, as one that comes back from the engine."""
    _thread.rank = BACK
    _take_turn(BACK)
    try:
        yield
    finally:
        _end_turn()


def called() -> Event:
    """What is set when the script of this thread should end or begin again: whoever waits for more may set it, too."""
    return _thread.called


def let_others_go_first() -> None:
    """Give the turn to all who wait for one: who sees something new already can wait for the rest of it."""
    if _thread.turn:
        _end_turn()
        _thread.rank = NEW
        _take_turn(NEW)


def say(word: Word, tell: Tell) -> None:
    """`tell` the `word`, and all that this script says until its turn ends, in order; at once where it has none."""
    if not _thread.turn:
        tell([word])
        return
    if not _thread.words:
        _thread.since, _thread.tell = time.monotonic(), tell
    _thread.words.append(word)
    if time.monotonic() - _thread.since > TELL_DELAY_S:
        _tell()


def _tell() -> None:
    if words := _thread.words:
        _thread.words = []
        _thread.tell(words)


def _in_turn(run: Callable[[ScriptRunner], None]) -> Callable[[ScriptRunner], None]:
    @wraps(run)
    def _run_script_thread(runner: ScriptRunner) -> None:
        _under_way.add(get_ident())
        try:
            runner.called = _thread.called  # type: ignore[attr-defined]
            _thread.rank = _rank(runner)
            _take_turn(_thread.rank)
            try:
                run(runner)
            finally:
                _end_turn()
        finally:
            _under_way.discard(get_ident())

    _run_script_thread.in_turn = True  # type: ignore[attr-defined]
    return _run_script_thread


def _calling(request: Callable[Concatenate[ScriptRunner, P], T]) -> Callable[Concatenate[ScriptRunner, P], T]:
    """`request`, which wakes the script of a runner where that waits: it looks for what is asked of it by itself."""

    @wraps(request)
    def requested(runner: ScriptRunner, *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return request(runner, *args, **kwargs)
        finally:
            if event := getattr(runner, "called", None):  # else its thread has not begun
                event.set()

    return requested


def _rank(runner: ScriptRunner) -> int:
    uploads = getattr(runner, "_uploaded_file_mgr", None)
    return BRINGS if isinstance(uploads, Uploads) and uploads.are_new(runner._session_id) else NEW


def _take_turn(rank: int) -> None:
    _turn.take(rank)
    _thread.turn = True


def _end_turn() -> None:
    _tell()
    _thread.turn = False
    _turn.end()
