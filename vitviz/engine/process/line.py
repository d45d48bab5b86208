"""The line to one child: one thread speaks and one listens, so that nobody waits for a child that is busy."""

import time
from collections import OrderedDict
from collections.abc import Callable
from pickle import PickleBuffer
from queue import SimpleQueue
from threading import Thread
from typing import Any, Protocol

from vitviz.engine.process.wire import Parts, Wire

FILES = 400_000_000  # bytes of files that a child keeps for the next request


class Connection(Protocol):
    """A process at the other end of a wire."""

    wire: Wire

    def kill(self) -> None:
        """End it, whatever it does."""

    def bury(self) -> str:
        """Leave nothing of it, now that it ended, and say how it did."""


class Line:
    """Says to `connection` what it is told to, in order, and tells what comes back and how it ended.

    Not safe for several threads; the engine has the lock. `heard` is when anything came last, by the monotonic clock.
    """

    def __init__(
        self,
        connection: Connection,
        told: Callable[[list[int], bool, list[memoryview]], None],
        ended: Callable[["Line", str], None],
    ) -> None:
        self._connection, self._told, self._ended = connection, told, ended
        self._to_say: SimpleQueue[tuple[tuple[Any, ...], Parts] | None] = SimpleQueue()
        self._files: OrderedDict[str, int] = OrderedDict()  # those of the child, and their sizes
        self.heard = time.monotonic()
        Thread(target=self._listen, name="engine's ear", daemon=True).start()
        Thread(target=self._speak, name="engine's mouth", daemon=True).start()

    def say(self, words: tuple[Any, ...], parts: Parts = ()) -> None:
        """Send a message, as soon as those before it are sent."""
        self._to_say.put((words, parts))

    def submit(self, number: int, person: str, parts: Parts, files: dict[str, bytes]) -> None:
        """Send a request, and before it those of its files that the child does not have."""
        for digest, data in files.items():
            if digest not in self._files:
                self.say(("file", digest), [PickleBuffer(data).raw()])
            self._files[digest] = len(data)
            self._files.move_to_end(digest)
        while sum(self._files.values()) > FILES and len(self._files) > len(files):
            self.say(("drop", self._files.popitem(last=False)[0]))
        self.say(("submit", number, person), parts)

    def forget(self, part: str) -> None:
        """Have all results dropped whose key contains `part`, and the file of that digest."""
        self._files.pop(part, None)
        self.say(("forget", part))

    def hang_up(self) -> None:
        """End the child, whatever it does."""
        self._connection.kill()

    def _speak(self) -> None:
        while message := self._to_say.get():
            try:
                self._connection.wire.send(*message)
            except (OSError, ValueError):  # nobody listens: the other thread will notice
                return

    def _listen(self) -> None:
        try:
            while True:
                (numbers, failed), parts = self._connection.wire.receive()
                self.heard = time.monotonic()
                self._told(numbers, failed, parts)
        except (EOFError, OSError, ValueError):
            self._to_say.put(None)
            self._ended(self, self._connection.bury())
