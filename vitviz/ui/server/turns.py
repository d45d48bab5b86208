"""One visitor's script at a time, and the engine before all of them.

Python runs one thread at a time anyway, and PyTorch asks for its lock again after every step: a forward pass of 15 ms
took 4 s beside three scripts. The server's own answers wait for the same lock.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from threading import Event, Lock, local

from streamlit.runtime.scriptrunner.script_runner import ScriptRunner

ENGINE_HEAD_START = 0.05  # seconds that a script lets the engine go first

engine_idle = Event()  # set while the engine has nothing to do
engine_idle.set()
_turn = Lock()
_thread = local()  # whether this thread has the turn


def take_turns() -> None:
    """Let only one script run at a time, of the server or of AppTest; to be called before the first of them.

    A thread of Streamlit's waits from its first step on. Where only the script itself did, two hundred that start at
    once kept the server from its own answers for more than a second.
    """
    if not hasattr(ScriptRunner._run_script_thread, "in_turn"):
        ScriptRunner._run_script_thread = _in_turn(ScriptRunner._run_script_thread)  # type: ignore[method-assign, assignment]


@contextmanager
def turn() -> Iterator[None]:
    """Wait for the turn of this thread's script, and end it with the `with`."""
    _take_turn()
    try:
        yield
    finally:
        _end_turn()


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
        _take_turn()


def _in_turn(run: Callable[[ScriptRunner], None]) -> Callable[[ScriptRunner], None]:
    @wraps(run)
    def _run_script_thread(runner: ScriptRunner) -> None:
        with turn():
            run(runner)

    _run_script_thread.in_turn = True  # type: ignore[attr-defined]
    return _run_script_thread


def _take_turn() -> None:
    _turn.acquire()
    _thread.turn = True
    engine_idle.wait(ENGINE_HEAD_START)


def _end_turn() -> None:
    _thread.turn = False
    _turn.release()
