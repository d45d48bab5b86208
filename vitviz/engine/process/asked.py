"""What was asked of a child and is not answered yet."""

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from vitviz.engine.process.wire import Parts

ATTEMPTS = 2  # for a request in which the child died
RUNNING = 8  # keys of what began last: of two lanes, and of what was left a moment ago and may still run


@dataclass(eq=False, slots=True)
class Asked:
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
        self._asked: dict[int, Asked] = {}
        self._running: deque[str] = deque(maxlen=RUNNING)  # their keys

    def __iter__(self) -> Iterator[tuple[int, Asked]]:
        return iter(self._asked.items())

    def add(self, number: int, asked: Asked) -> None:
        """`asked` is on its way."""
        self._asked[number] = asked

    def number_of(self, key: str) -> int:
        """The number under which the request of that key was asked, 0 where it was not."""
        return next((number for number, asked in self._asked.items() if asked.key == key), 0)

    def begin(self, numbers: Sequence[int]) -> None:
        """Note that requests run."""
        keys = {self._asked[number].key for number in numbers if number in self._asked}
        self._running.extend(keys.difference(self._running))

    def leave(self, number: int) -> bool:
        """Nobody waits for a request any more, though it may still run; whether it was on its way."""
        return self._asked.pop(number, None) is not None

    def end(self, numbers: Sequence[int]) -> list[Asked]:
        """Those of the requests that were waited for until now, when they are answered."""
        ended = [self._asked.pop(number) for number in numbers if number in self._asked]
        for key in {it.key for it in ended}.intersection(self._running):
            self._running.remove(key)
        return ended

    def forget(self, part: str) -> None:
        """Keep no answer to what has `part` in its key."""
        for asked in self._asked.values():
            asked.forgotten |= part in asked.key

    def lost(self, shared: bool) -> list[Asked]:
        """Requests that are not asked again: the child that died ran them, and so did one before.

        Where it ran nothing that was known, whatever it was asked may have been too much for it, or what others asked
        where it is `shared`.
        """
        unknown = not self._running and not shared
        ran = [number for number, asked in self._asked.items() if asked.key in self._running or unknown]
        self._running.clear()
        for number in ran:
            self._asked[number].deaths += 1
        return [self._asked.pop(number) for number in ran if self._asked[number].deaths >= ATTEMPTS]
