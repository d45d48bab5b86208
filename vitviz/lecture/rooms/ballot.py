"""Whose guesses count: of those who are in the room all, of those who have gone as many as were there."""

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any

from vitviz.lecture.rooms.limits import ADDRESSES, VOTES


class Hall:
    """Who is in a room, by browser, and how many of each address are there, or were at once since a step began."""

    def __init__(self) -> None:
        self._windows: Counter[str] = Counter()
        self._addresses: dict[str, str] = {}
        self._here: Counter[str] = Counter()
        self._most: Counter[str] = Counter()

    def __contains__(self, browser: str) -> bool:
        return browser in self._addresses

    def come(self, browser: str, address: str) -> None:
        """A window of a browser is there; two of one count once."""
        self._windows[browser] += 1
        if browser in self._addresses:
            return
        self._addresses[browser] = address
        self._here[address] += 1
        self._most[address] = max(self._most[address], self._here[address])
        if len(self._most) > ADDRESSES:
            self.begin()

    def go(self, browser: str) -> None:
        """A window of a browser has gone."""
        self._windows[browser] -= 1
        if self._windows[browser] > 0:
            return
        del self._windows[browser]
        if address := self._addresses.pop(browser, None):
            self._here[address] -= 1
            if not self._here[address]:
                del self._here[address]

    def begin(self) -> None:
        """A step begins: who has gone before was not there."""
        self._most = Counter(self._here)

    def address(self, browser: str) -> str:
        """Where a browser that is there has come from."""
        return self._addresses[browser]

    def most(self, address: str) -> int:
        """How many browsers of an address are there, or were at once."""
        return self._most[address]


class Ballot:
    """The guesses of a round by browser, the last one of each; those that were changed last at the end."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._guesses: dict[str, tuple[Any, str]] = {}  # with the address
        self._of: Counter[str] = Counter()  # guesses by address

    def __contains__(self, browser: str) -> bool:
        return browser in self._guesses

    def cast(self, browser: str, guess: Any) -> None:
        """Count the guess of a browser that is there; one of somebody who has gone makes room for it."""
        self._drop(browser)
        address = self._hall.address(browser)
        self._guesses[browser] = guess, address
        self._of[address] += 1
        if self._of[address] > self._hall.most(address):
            self._drop(next(self._gone(address), ""))
        elif len(self._guesses) > VOTES:
            crowded = Counter(self._guesses[it][1] for it in self._gone()).most_common(1)
            self._drop(next(self._gone(*(address for address, _ in crowded)), ""))

    def guesses(self) -> Collection[Any]:
        """All that count."""
        return [guess for guess, _ in self._guesses.values()]

    def _gone(self, *addresses: str) -> Iterator[str]:
        """Browsers that have guessed and gone, of these addresses or of all, the first one first."""
        for browser, (_, address) in self._guesses.items():
            if browser not in self._hall and (not addresses or address in addresses):
                yield browser

    def _drop(self, browser: str) -> None:
        _, address = self._guesses.pop(browser, (None, None))
        if address is not None:
            self._of[address] -= 1
