"""The line to one child: one thread speaks and one listens, so that nobody waits for a child that is busy."""

import time
from collections import OrderedDict
from collections.abc import Callable
from pickle import PickleBuffer
from queue import SimpleQueue
from threading import Thread
from typing import Any, Protocol

from vitviz import __version__
from vitviz.engine.process.wire import OtherVersionError, Parts, Wire

FILES = 100_000_000  # bytes of files that a child keeps for the next request


class Connection(Protocol):
    """A process at the other end of a wire; `shared` where it works for others, too."""

    shared: bool

    def open(self) -> Wire:
        """The wire; waits for whoever should be there. Raises `OSError` where nobody is."""

    def leave(self) -> None:
        """Need it no longer."""

    def kill(self) -> None:
        """End it, whatever it does."""

    def bury(self) -> str:
        """Leave nothing of it, now that it ended, and say how it did: "its process ended with exit code 1"."""


class Channel:
    """Says to `connection` what it is told to, in order, and tells what comes back and how it ended.

    Not safe for several threads; the engine has the lock. `last_message_time`: by the monotonic clock.
    """

    def __init__(
        self,
        connection: Connection,
        receive: Callable[[list[int], str, list[memoryview]], None],
        ended: Callable[["Channel", str], None],
    ) -> None:
        self._connection, self._receive, self._ended = connection, receive, ended
        self.shared = connection.shared
        self._to_say: SimpleQueue[tuple[tuple[Any, ...], Parts] | None] = SimpleQueue()
        self._files: OrderedDict[str, int] = OrderedDict()  # those of the child, and their sizes
        self.last_message_time = time.monotonic()
        Thread(target=self._listen, name="engine's ear", daemon=True).start()

    def say(self, words: tuple[Any, ...], parts: Parts = ()) -> None:
        """Send a message, as soon as those before it are sent."""
        self._to_say.put((words, parts))

    def submit(self, number: int, person: str, parts: Parts, files: dict[str, bytes], alone: bool = False) -> None:
        """Send a request, and before it those of its files that the child does not have.

        It is computed `alone` where a child may have died of it: who is computed beside it would go with it again.
        """
        for digest, data in files.items():
            if digest not in self._files:
                self.say(("file", digest), [PickleBuffer(data).raw()])
            self._files[digest] = len(data)
            self._files.move_to_end(digest)
        while sum(self._files.values()) > FILES and len(self._files) > len(files):
            self.say(("drop", self._files.popitem(last=False)[0]))
        self.say(("submit", number, person, alone), parts)

    def forget(self, part: str) -> None:
        """Have all results dropped whose key contains `part`, and the file of that digest."""
        self._files.pop(part, None)
        self.say(("forget", part))

    def leave(self) -> None:
        """Hang up."""
        self._connection.leave()

    def kill(self) -> None:
        """End the child, whatever it does."""
        self._connection.kill()

    def _speak(self, wire: Wire) -> None:
        while message := self._to_say.get():
            try:
                wire.send(*message)
            except (OSError, ValueError):  # nobody listens: the other thread will notice
                return

    def _listen(self) -> None:
        why = ""
        try:
            wire = self._connection.open()
            wire.greet()
            Thread(target=self._speak, args=(wire,), name="engine's mouth", daemon=True).start()
            while True:
                (numbers, what), parts = wire.receive()
                self.last_message_time = time.monotonic()
                self._receive(numbers, what, parts)
        except OtherVersionError as error:
            why = f"it is {error} and this server is vitviz {__version__}, and both must be the same"
        except (EOFError, OSError, ValueError):
            pass
        self._to_say.put(None)
        how = self._connection.bury()
        self._ended(self, why or how)
