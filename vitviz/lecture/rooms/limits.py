"""How much of everything a room takes from strangers."""

SHORT = 4_096  # bytes of a follower's message
LONG = 32_768  # bytes of a lecturer's, which may hold a map of 4,096 patches, and of the first one of anybody
PER_SECOND = 10  # messages of one browser
POINTER_PER_SECOND = 20  # of a lecturer's pointer beside them
BURST = 2.0  # seconds' worth that may come at once, as after a gap of the Wi-Fi
FOLLOWERS = 1_000  # browsers in one room
VOTES = 2_000  # of one round: of those who are there, and of those who have left
CROWD = 250  # guesses from one address from which nobody leads: as many as sit in a large hall
ROOMS = 100  # of one process
CONNECTIONS = 4_000  # connections of one process, in all its rooms, beside those of lecturers
WRONG_AT_ONCE = 40  # codes that an address may try and that are of no room: a hall mistypes them
WRONG_PER_SECOND = 0.5  # and after that; all codes of four letters take four days
PAUSE = 0.5  # seconds until who has tried a wrong code hears so
ADDRESSES = 10_000  # that are remembered at once
HELLO = 5.0  # seconds until a browser has said who it is
SLOW = 5.0  # seconds for which a browser may take nothing of what it is told
UNLED = 600.0  # seconds until a room ends that nobody leads


class Bucket:
    """Lets `rate` a second through, and `burst` seconds' worth at once."""

    def __init__(self, rate: float, burst: float = BURST) -> None:
        self._rate = rate
        self._left = self._most = rate * burst
        self._since: float | None = None

    def take(self, now: float, many: float = 1) -> bool:
        """Whether so many more may pass at `now`, in seconds."""
        passed = 0.0 if self._since is None else now - self._since
        self._since = now
        self._left = min(self._most, self._left + passed * self._rate)
        if self._left < many:
            return False
        self._left -= many
        return True
