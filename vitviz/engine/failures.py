"""What went wrong in this process and those before: what is not tried again for a while, and when one is unsound.

A library that is imported by halves, or memory that somebody wrote over, makes every model fail from then on, and only
another process mends that. So errors that nobody foresaw, with a second model, end a process. Such an error may as well
be a mistake of ours: one that has ended a process ends no other for a while.
"""

import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread

from vitviz.engine.request import Request

RETRY_S = 600.0  # until what did not end may be tried again, an error may end another process, or counts no more
READ = 1.0  # seconds that a process which ends waits at most for whoever reads its log
OURS = "vitviz."  # the modules whose errors are foreseen: sentences for whoever asked


@dataclass(frozen=True, slots=True)
class Heritage:
    """What one process leaves to the next: sentences by key, places in the code, and seconds for which each holds."""

    endless: dict[str, tuple[float, str]] = field(default_factory=dict)
    ignored_until: dict[str, float] = field(default_factory=dict)


class Failures:
    """Not safe for several threads; the engine has the lock."""

    def __init__(self) -> None:
        self._endless: dict[str, tuple[float, str]] = {}  # by key: until when it is not tried, and why
        self._ignored_until: dict[str, float] = {}  # by the place of an error, which till then says nothing
        self._places: dict[
            str, dict[str, float]
        ] = {}  # of unforeseen errors, by what was asked: until when each counts

    def note_endless(self, request: Request[object], why: str) -> None:
        """`request` did not end, and is not tried again for a while."""
        self._forget_old()
        self._endless[request.key] = time.monotonic() + RETRY_S, why

    def why_not(self, key: str) -> str:
        """Why the request of that key is not tried now; nothing for others."""
        until, why = self._endless.get(key, (0.0, ""))
        return why if until > time.monotonic() else ""

    def note(self, request: Request[object], error: Exception) -> bool:
        """Whether `error` says that this process is unsound: nobody foresaw it, and it is not the first model's."""
        if type(error).__module__.startswith(OURS):
            return False
        self._forget_old()
        if (place := _place(error)) in self._ignored_until:
            return False
        self._places.setdefault(request.root, {})[place] = time.monotonic() + RETRY_S
        if len(self._places) < 2:
            return False
        for places in self._places.values():
            self._ignored_until |= dict.fromkeys(places, time.monotonic() + RETRY_S)
        self._places.clear()
        return True

    @property
    def heritage(self) -> Heritage:
        """What the next process should know."""
        self._forget_old()
        now = time.monotonic()
        return Heritage(
            {key: (until - now, why) for key, (until, why) in self._endless.items()},
            {place: until - now for place, until in self._ignored_until.items()},
        )

    def inherit(self, heritage: Heritage) -> None:
        """Know what the process before knew."""
        now = time.monotonic()
        self._endless |= {key: (now + left, why) for key, (left, why) in heritage.endless.items()}
        self._ignored_until |= {place: now + left for place, left in heritage.ignored_until.items()}

    def _forget_old(self) -> None:
        now = time.monotonic()
        self._endless = {key: it for key, it in self._endless.items() if it[0] > now}
        self._ignored_until = {place: until for place, until in self._ignored_until.items() if until > now}
        recent = {
            root: {it: until for it, until in there.items() if until > now} for root, there in self._places.items()
        }
        self._places = {root: there for root, there in recent.items() if there}


def last_words(words: str) -> None:
    """Print for the log what a process says before it ends; a log that nobody reads does not keep it from ending."""
    speaking = Thread(target=print, args=(words,), kwargs={"file": sys.stderr, "flush": True}, daemon=True)
    speaking.start()
    speaking.join(READ)


def _place(error: Exception) -> str:
    """The kind of an error, and the line that raised it."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    where = f" at {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else ""
    return type(error).__qualname__ + where
