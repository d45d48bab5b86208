"""Who has one of so many places: nobody is shut out by connections that somebody else has made up."""

from collections import Counter
from typing import Generic, NamedTuple, TypeVar

Connection = TypeVar("Connection")


class Origin(NamedTuple):
    """Where a connection comes from: the address of a network, behind which a whole hall may sit, and a browser."""

    address: str
    browser: str = ""


class FullError(Exception):
    """There is no place for a connection; says why in a sentence."""


class Places(Generic[Connection]):
    """Connections by their origin, those that came last at the end.

    A free place is anybody's. Where all are taken, a browser that comes again takes its own oldest place: a connection
    whose Wi-Fi has gone stays for a minute. Who else comes takes the place of one from the address with most, but never
    so that this has less than an even share: one among the addresses with at least half as many connections, and one
    more. So a hall that is in stays in, however many addresses with a connection each come after it. Within an address
    those browsers give way that have more connections, each its oldest; who has been there longest stays.
    """

    def __init__(self) -> None:
        self._origins: dict[Connection, Origin] = {}
        self._of: dict[str, dict[str, dict[Connection, None]]] = {}  # by address, by browser
        self._many: Counter[str] = Counter()  # by address

    def __len__(self) -> int:
        return len(self._origins)

    def has(self, origin: Origin) -> bool:
        """Whether a browser has a place; of those without a cookie nobody knows."""
        return bool(origin.browser) and origin.browser in self._of.get(origin.address, {})

    def come(self, connection: Connection, origin: Origin, most: int) -> Connection | None:
        """Give a connection one of `most` places; the connection that has to go for it. Raises `FullError`."""
        out = self._instead(origin, most)
        if out is not None:
            self.leave(out)
        self._origins[connection] = origin
        self._of.setdefault(origin.address, {}).setdefault(origin.browser, {})[connection] = None
        self._many[origin.address] += 1
        return out

    def leave(self, connection: Connection) -> None:
        """Free a connection's place, where it has one."""
        if (origin := self._origins.pop(connection, None)) is None:
            return
        self._many[origin.address] -= 1
        browsers = self._of[origin.address]
        del browsers[origin.browser][connection]
        if not browsers[origin.browser]:
            del browsers[origin.browser]
        if not browsers:
            del self._of[origin.address], self._many[origin.address]

    def _instead(self, origin: Origin, most: int) -> Connection | None:
        if len(self) < most:
            return None
        here = self._of.get(origin.address, {})
        if origin.browser and (own := here.get(origin.browser)):
            return next(iter(own))
        address = self._too_many(most)
        if self._many[address] <= self._many[origin.address] + 1:
            address = origin.address
        newest_first = reversed(self._of.get(address, {}).items())
        browser, connections = max(newest_first, key=lambda it: len(it[1]), default=("", {}))
        if address == origin.address and len(connections) <= len(here.get(origin.browser, ())) + 1:
            raise FullError(f"of {most} places your network has {self._many[address]}, and no more are to be had")
        # without a cookie they are of several people
        return next(iter(connections)) if browser else next(reversed(connections))

    def _too_many(self, most: int) -> str:
        """The address with most connections; "" where it has no more than an even share."""
        address = max(reversed(self._of), key=self._many.__getitem__)
        alike = sum(2 * many >= self._many[address] for many in self._many.values())
        return address if self._many[address] > most // (alike + 1) else ""
