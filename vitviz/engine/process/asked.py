"""What was asked of a child and is not answered yet."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from vitviz.engine.process.wire import Parts

ATTEMPTS = 2  # for a request in which the child died


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
        self._running: dict[int, str] = {}  # their keys

    def __iter__(self) -> Iterator[tuple[int, Asked]]:
        return iter(self._asked.items())

    def add(self, number: int, asked: Asked) -> None:
        """`asked` is on its way."""
        self._asked[number] = asked

    def number_of(self, key: str) -> int:
        """The number under which the request of that key was asked, 0 where it was not."""
        return next((number for number, asked in self._asked.items() if asked.key == key), 0)

    def begin(self, numbers: Sequence[int]) -> None:
        """Note that requests run: until they are `over`, whatever becomes of those who wait for them."""
        self._running |= {number: self._asked[number].key for number in numbers if number in self._asked}

    def over(self, numbers: Sequence[int]) -> None:
        """Note that nothing is computed for requests any more."""
        for number in numbers:
            self._running.pop(number, None)

    def leave(self, number: int) -> bool:
        """Nobody waits for a request any more, though it may still run; whether it was on its way."""
        return self._asked.pop(number, None) is not None

    def end(self, numbers: Sequence[int]) -> list[Asked]:
        """Those of the requests that were waited for until now, when they are answered."""
        return [self._asked.pop(number) for number in numbers if number in self._asked]

    def forget(self, part: str) -> None:
        """Keep no answer to what has `part` in its key."""
        for asked in self._asked.values():
            asked.forgotten |= part in asked.key

    def lost(self, shared: bool, blameless: bool) -> list[Asked]:
        """Requests that are not asked again: the child that died ran them, and so did one before.

        Where it ran nothing that was known, whatever it was asked may have been too much for it, or what others asked
        where it is `shared`. Where all are `blameless` there are none.
        """
        keys = {*self._running.values()}
        unknown = not keys and not shared
        ran = [number for number, it in self._asked.items() if (it.key in keys or unknown) and not blameless]
        self._running.clear()
        for number in ran:
            self._asked[number].deaths += 1
        return [self._asked.pop(number) for number in ran if self._asked[number].deaths >= ATTEMPTS]
