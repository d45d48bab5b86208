"""Which of several servers has a room: a lock on a file in the folder that all share, and that ends with its process.

A proxy sends a room's code to always the same server. Where that one has died and is back, its rooms are meanwhile at
another, and it says so to the proxy before it lets anybody in; nothing is written into the file.
"""

import os
from pathlib import Path

from vitviz.ui.sidebar import own_folder

ROOMS = "rooms"


class Holding:
    """The rooms that this server has; where no folder is shared there is no other."""

    def __init__(self) -> None:
        self._locks: dict[str, int] = {}  # files by code

    def take(self, code: str) -> bool:
        """Have a room; whether no other server has it."""
        if not is_shared():
            return True
        while (lock := _locked(code)) is not None:
            if os.fstat(lock).st_nlink:
                self._locks[code] = lock
                return True
            os.close(lock)  # another server has just ended this room and deleted its file
        return False

    def has_another(self, code: str) -> bool:
        """Whether a room is at another server."""
        if not is_shared() or code in self._locks or not _path(code).exists():
            return False
        if (lock := _locked(code)) is None:
            return True
        os.close(lock)
        return False

    def release(self, code: str) -> None:
        """Have it no longer."""
        if (lock := self._locks.pop(code, None)) is not None:
            _path(code).unlink(missing_ok=True)
            os.close(lock)


def is_shared() -> bool:
    """Whether there are other servers."""
    return os.name == "posix" and bool(os.environ.get(own_folder.FOLDER))


def _path(code: str) -> Path:
    return own_folder.part(ROOMS) / code


def _locked(code: str) -> int | None:
    """An open file with the lock, or None where another has it."""
    import fcntl

    lock = os.open(_path(code), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    return lock
