"""What was asked of a child and is not answered yet."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from vitviz.engine.process.wire import Parts

ATTEMPTS = 2  # for a request in which the child died


@dataclass(eq=False, slots=True)
class PendingRequest:
    """A request on its way: what was sent, who waits for it, and how often a child died in it."""

    key: str
    person: str
    parts: Parts
    files: dict[str, bytes]
    future: Future[Any]
    deaths: int = 0
    forgotten: bool = False


class Outstanding:
    """Requests by number, and which of them run. Not safe for several threads; the engine has the lock."""

    def __init__(self) -> None:
        self._pending: dict[int, PendingRequest] = {}
        self._running: dict[int, str] = {}  # their keys

    def __iter__(self) -> Iterator[tuple[int, PendingRequest]]:
        return iter(self._pending.items())

    def add(self, number: int, pending: PendingRequest) -> None:
        """`pending` is on its way."""
        self._pending[number] = pending

    def number_of(self, key: str) -> int:
        """The number under which the request of that key was asked, 0 where it was not."""
        return next((number for number, pending in self._pending.items() if pending.key == key), 0)

    def begin(self, numbers: Sequence[int]) -> None:
        """Note that requests run: until they are `over`, whatever becomes of those who wait for them."""
        self._running |= {number: self._pending[number].key for number in numbers if number in self._pending}

    def over(self, numbers: Sequence[int]) -> None:
        """Note that nothing is computed for requests any more."""
        for number in numbers:
            self._running.pop(number, None)

    def leave(self, number: int) -> bool:
        """Nobody waits for a request any more, though it may still run; whether it was on its way."""
        return self._pending.pop(number, None) is not None

    def end(self, numbers: Sequence[int]) -> list[PendingRequest]:
        """Those of the requests that were waited for until now, when they are answered."""
        return [self._pending.pop(number) for number in numbers if number in self._pending]

    def forget(self, part: str) -> None:
        """Keep no answer to what has `part` in its key."""
        for pending in self._pending.values():
            pending.forgotten |= part in pending.key

    def lost(self, shared: bool, blameless: bool) -> list[PendingRequest]:
        """Requests that are not asked again: the child that died ran them, and so did one before.

        Where it ran nothing that was known, whatever it was asked may have been too much for it, or what others asked
        where it is `shared`. Where all are `blameless` there are none.
        """
        keys = {*self._running.values()}
        unknown = not keys and not shared
        ran = [number for number, it in self._pending.items() if (it.key in keys or unknown) and not blameless]
        self._running.clear()
        for number in ran:
            self._pending[number].deaths += 1
        return [self._pending.pop(number) for number in ran if self._pending[number].deaths >= ATTEMPTS]
