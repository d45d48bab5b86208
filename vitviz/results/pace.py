"""How long runs of models took that this process asked for, so that what it says of the next ones is about right."""

from collections import OrderedDict
from threading import Lock

MOST = 200  # models, each with its kinds of runs, that are remembered

_lock = Lock()
_seconds: OrderedDict[tuple[str, str], float] = OrderedDict()


def note(model: str, what: str, seconds: float) -> None:
    """Remember what a run of a kind takes of a model, by the key of both."""
    with _lock:
        _seconds[model, what] = seconds
        _seconds.move_to_end((model, what))
        if len(_seconds) > MOST:
            _seconds.popitem(last=False)


def noted(model: str, what: str) -> float | None:
    """What the last of them took, in seconds; None where there was none."""
    return _seconds.get((model, what))
