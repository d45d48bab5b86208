"""Downloads of this process: in threads of their own, one at a time, and one for each model, whoever asks for it."""

import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from vitviz import numbers
from vitviz.weights.errors import WeightsError
from vitviz.weights.hub import fetching
from vitviz.weights.hub.cache import published

SOONEST = 1.0  # seconds after which a rate says something


@dataclass(slots=True)
class Download:
    """A download under way or finished: bytes so far and in all (0 until that is known), and the file to come.

    `waiting` are those who asked for it and have not taken that back.
    """

    name: str
    path: "Future[Path]" = field(default_factory=Future)
    done: int = 0
    total: int = 0
    waiting: set[str] = field(default_factory=set)
    _began: tuple[float, int] | None = None  # when the first byte came, and how many there were before

    @property
    def stopped(self) -> bool:
        """Whether nobody wants it any more: what has come is kept."""
        return not self.waiting

    @property
    def seconds_left(self) -> float | None:
        """How long it takes yet, at the rate so far; None as long as that is not known."""
        if self._began is None or (seconds := time.monotonic() - self._began[0]) < SOONEST:
            return None
        came = self.done - self._began[1]
        return (self.total - self.done) * seconds / came if came > 0 else None

    def tell(self, done: int, total: int) -> None:
        """Note how far it is. Raises `WeightsError` where nobody wants it any more."""
        if not self.waiting:
            raise WeightsError(f"stopped at {numbers.bytes_(done)} of {numbers.bytes_(total)}; they are kept")
        if done and self._began is None:
            self._began = time.monotonic(), done
        self.done, self.total = done, total


@dataclass(slots=True)
class _Downloads:
    worker: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "download"))
    lock: Lock = field(default_factory=Lock)
    latest: dict[str, Download] = field(default_factory=dict)


_DOWNLOADS = _Downloads()


def latest(name: str) -> Download | None:
    """The download of a published model that is under way or ended last in this process, whoever asked for it."""
    with _DOWNLOADS.lock:
        return _DOWNLOADS.latest.get(name)


def start(name: str, who: str = "") -> Download:
    """The download of a published model for `who`: the one that is under way, or a new one."""
    published(name)
    with _DOWNLOADS.lock:
        running = _DOWNLOADS.latest.get(name)
        if running and not running.path.done() and running.waiting:
            running.waiting.add(who)
            return running
        download = _DOWNLOADS.latest[name] = Download(name, waiting={who})
    _DOWNLOADS.worker.submit(_run, download)
    return download


def cancel(name: str, who: str = "") -> None:
    """Take back what `who` asked for; the download ends when nobody wants it any more, and goes on for others."""
    with _DOWNLOADS.lock:
        if download := _DOWNLOADS.latest.get(name):
            download.waiting.discard(who)


def _run(download: Download) -> None:
    try:
        download.path.set_result(fetching.fetch(download.name, download.tell))
    except BaseException as error:  # whoever waits is told, whatever it is
        download.path.set_exception(error)
