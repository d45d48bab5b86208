"""One visitor's script at a time; who comes back from the engine goes before who begins.

Python runs one thread at a time anyway, and lets each wait in line for its lock again after every step. With a hundred
scripts in that line the server's own answers came after them.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from heapq import heappop, heappush
from itertools import count
from threading import Lock, local

from streamlit.runtime.scriptrunner.script_runner import ScriptRunner

BACK, NEW = range(2)  # who waits for a turn: scripts that have had one, before those that have not

_thread = local()  # whether this thread has the turn


class Turn:
    """A lock that goes to who came first: of those who are back, and then of those who are new."""

    def __init__(self) -> None:
        self._lock = Lock()  # guards the next two
        self._taken = False
        self._waiting: list[tuple[int, int, Lock]] = []
        self._numbers = count()

    @property
    def taken(self) -> bool:
        """Whether anybody has it."""
        return self._taken

    def take(self, rank: int) -> None:
        """Wait for it."""
        with self._lock:
            if not self._taken:
                self._taken = True
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
                self._taken = False


_turn = Turn()


def take_turns() -> None:
    """Let only one script run at a time, of the server or of AppTest; to be called before the first of them.

    A thread of Streamlit's waits from its first step on. Where only the script itself did, two hundred that start at
    once kept the server from its own answers for more than a second.
    """
    if not hasattr(ScriptRunner._run_script_thread, "in_turn"):
        ScriptRunner._run_script_thread = _in_turn(ScriptRunner._run_script_thread)  # type: ignore[method-assign, assignment]


@contextmanager
def turn_of_others() -> Iterator[None]:
    """Give the turn away while this script waits for something else than Python."""
    if not getattr(_thread, "turn", False):  # a script that is run without Streamlit's threads takes no turns
        yield
        return
    _end_turn()
    try:
        yield
    finally:  # even if the run ends here: the same thread may begin the next one
        _take_turn(BACK)


def _in_turn(run: Callable[[ScriptRunner], None]) -> Callable[[ScriptRunner], None]:
    @wraps(run)
    def _run_script_thread(runner: ScriptRunner) -> None:
        _take_turn(NEW)
        try:
            run(runner)
        finally:
            _end_turn()

    _run_script_thread.in_turn = True  # type: ignore[attr-defined]
    return _run_script_thread


def _take_turn(rank: int) -> None:
    _turn.take(rank)
    _thread.turn = True


def _end_turn() -> None:
    _thread.turn = False
    _turn.end()
