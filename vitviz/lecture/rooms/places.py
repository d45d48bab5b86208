"""Who has one of so many places: nobody is shut out by lines that somebody else has made up."""

from collections import Counter
from typing import Generic, NamedTuple, TypeVar

Line = TypeVar("Line")


class Origin(NamedTuple):
    """Where a line comes from: the address of a network, behind which a whole hall may sit, and a browser there."""

    address: str
    browser: str = ""


class FullError(Exception):
    """There is no place for a line; says why in a sentence."""


class Places(Generic[Line]):
    """Lines by their origin, those that came last at the end.

    No address has more than half of the places. Where all are taken, who comes from an address with fewer lines takes
    the place of one from the address with most; within an address it is the same with its browsers. Those who have
    been there longest stay.
    """

    def __init__(self) -> None:
        self._origins: dict[Line, Origin] = {}
        self._of: dict[str, dict[str, dict[Line, None]]] = {}  # by address, by browser
        self._many: Counter[str] = Counter()  # by address

    def __len__(self) -> int:
        return len(self._origins)

    def come(self, line: Line, origin: Origin, most: int) -> Line | None:
        """Give a line one of `most` places; the line that has to go for it. Raises `FullError`."""
        out = self._instead(origin, most)
        if out is not None:
            self.leave(out)
        self._origins[line] = origin
        self._of.setdefault(origin.address, {}).setdefault(origin.browser, {})[line] = None
        self._many[origin.address] += 1
        return out

    def leave(self, line: Line) -> None:
        """Free a line's place, where it has one."""
        if (origin := self._origins.pop(line, None)) is None:
            return
        self._many[origin.address] -= 1
        browsers = self._of[origin.address]
        del browsers[origin.browser][line]
        if not browsers[origin.browser]:
            del browsers[origin.browser]
        if not browsers:
            del self._of[origin.address], self._many[origin.address]

    def _instead(self, origin: Origin, most: int) -> Line | None:
        here, share = self._many[origin.address], max(1, most // 2)
        if here < share and len(self) < most:
            return None
        crowded = origin.address if here >= share else max(self._of, key=self._many.__getitem__)
        if self._many[crowded] <= here + 1:
            crowded = origin.address
        browsers = self._of.get(crowded, {})
        fullest = max(browsers.values(), key=len, default={})
        if crowded == origin.address and len(fullest) <= len(browsers.get(origin.browser, ())) + 1:
            raise FullError(f"of {most} places your network has {here}, and no more are to be had")
        return next(reversed(fullest))
