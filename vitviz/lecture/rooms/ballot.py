"""Whose guesses count: all of those who took part, whether awake or not, and of others those who are there.

A browser takes part that is in the room when a step or a round begins, and its guesses stay when it goes: thirty phones
of one network, five of them awake at once, count as thirty. The lecturer says when that is, so one line under made-up
numbers takes part once a round, however often it comes. A browser that came since counts while it is there; gone, it
counts only as far as its address had as many there at once since the step began: 2,000 numbers over one line are one.

A room cannot tell a hall from a stranger who holds as many lines: cookies, pace and patience cost a program nothing.
What it cannot make up is the network from which somebody leads. Of any other one the first `CROWD` browsers
take part, and no more guesses than so many count, with room kept for theirs: a hall of 200 behind one address is whole.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any

from vitviz.lecture.rooms.limits import ADDRESSES, CROWD, VOTES


class Hall:
    """Who is in a room, by browser, who took part, and how many of each address were there at once in this step."""

    def __init__(self) -> None:
        self._windows: Counter[str] = Counter()
        self._addresses: dict[str, str] = {}
        self._here: Counter[str] = Counter()
        self._most: Counter[str] = Counter()
        self._led: set[str] = set()
        self._part: set[str] = set()
        self._parts: Counter[str] = Counter()  # of an address

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
            self._most = Counter(self._here)

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

    def lead(self, address: str) -> None:
        """Somebody leads from there."""
        self._led.add(address)

    def begin(self) -> None:
        """A step begins: who has gone before was not there."""
        self._most = Counter(self._here)
        self.take_part()

    def take_part(self) -> None:
        """Those who are there take part from now on, whether they stay or not."""
        for browser, address in self._addresses.items():
            if browser not in self._part and self.free(address) > 0 and len(self._part) < ADDRESSES:
                self._part.add(browser)
                self._parts[address] += 1

    def takes_part(self, browser: str) -> bool:
        """Whether a browser was there when a step or a round began."""
        return browser in self._part

    def free(self, address: str) -> int:
        """How many more of an address may take part or count."""
        return (ADDRESSES if address in self._led else CROWD) - self._parts[address]

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
        self._late: Counter[str] = Counter()  # and of those who do not take part

    def __contains__(self, browser: str) -> bool:
        return browser in self._guesses

    def cast(self, browser: str, guess: Any) -> bool:
        """Take the guess of a browser that is there, for which one that has gone may give way; whether it counts."""
        self._drop(browser)
        address = self._hall.address(browser)
        self._guesses[browser] = guess, address
        self._add(browser, address, 1)
        if self._of[address] > self._hall.most(address) or self._is_crowded(address):
            self._drop(next(self._late_and_gone(address), ""))
        if self._is_crowded(address) and not self._hall.takes_part(browser):
            self._drop(browser)
        if len(self._guesses) > VOTES:
            self._drop_of_the_gone()
        return browser in self._guesses

    def guesses(self) -> Collection[Any]:
        """All that count."""
        return [guess for guess, _ in self._guesses.values()]

    def _is_crowded(self, address: str) -> bool:
        return self._late[address] > self._hall.free(address)

    def _late_and_gone(self, address: str) -> Iterator[str]:
        """Browsers of an address that do not take part and have guessed and gone, the first one first."""
        for browser, (_, its_address) in self._guesses.items():
            if its_address == address and browser not in self._hall and not self._hall.takes_part(browser):
                yield browser

    def _drop_of_the_gone(self) -> None:
        """Forget the first guess of the address with most that have gone, rather of one that did not take part."""
        absent = [browser for browser in self._guesses if browser not in self._hall]
        ((address, _),) = Counter(self._guesses[it][1] for it in absent).most_common(1)
        self._drop(min((it for it in absent if self._guesses[it][1] == address), key=self._hall.takes_part))

    def _drop(self, browser: str) -> None:
        _, address = self._guesses.pop(browser, (None, None))
        if address is not None:
            self._add(browser, address, -1)

    def _add(self, browser: str, address: str, many: int) -> None:
        self._of[address] += many
        if not self._hall.takes_part(browser):
            self._late[address] += many
