"""How many codes of rooms that are not there somebody may try: no program goes through all of them.

Who has used them up waits with a right code as with a wrong one. If a right one passed, however late, whoever tries
codes would see which it is: it is the one that is not told to wait. Where somebody is in the room already, who leads it
or who follows, its code is nothing new and asks for nothing here.
"""

from vitviz.lecture.rooms.limits import ADDRESSES, WRONG_AT_ONCE, WRONG_PER_SECOND, Bucket

BURST = WRONG_AT_ONCE / WRONG_PER_SECOND  # seconds' worth
MAX_CODES = 64  # codes of one address: whoever waits for a room knocks every second


class Tries:
    """The codes that each address has tried; those who have tried nothing for longest are forgotten."""

    def __init__(self) -> None:
        self._tried: dict[str, tuple[Bucket, dict[str, None]]] = {}

    def has(self, address: str, code: str) -> bool:
        """Whether an address has tried this code lately."""
        return address in self._tried and code in self._tried[address][1]

    def take(self, address: str, code: str, now: float) -> bool:
        """Whether an address may be told at `now`, in seconds, if there is such a room; the same code again is free."""
        bucket, codes = self._tried.get(address) or (Bucket(WRONG_PER_SECOND, BURST), {})
        self._tried.pop(address, None)
        self._tried[address] = bucket, codes
        if len(self._tried) > ADDRESSES:
            del self._tried[next(iter(self._tried))]
        if code in codes:
            return True
        if not bucket.take(now):
            return False
        codes[code] = None
        if len(codes) > MAX_CODES:
            del codes[next(iter(codes))]
        return True
