"""What visitors brought, pictures and lessons, each for its own browser: files in a folder that servers may share.

One that a lecturer shares is a copy, for whoever has its name: nobody finds a name by trying.

A file's name says which it is and whose, its time when somebody was last seen looking at it. So no server has
to know what the others do: what nobody looks at any more goes in time, even where the server of whoever did has died.
"""

import hashlib
import json
import os
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from vitviz.addresses.links import SHARED_PICTURE
from vitviz.selection import Picture

MOST_BYTES = 150_000_000  # of what browsers may come back for
DIGEST = re.compile("[0-9a-f]{16,64}")
SHARING = "shared "  # before what stands for a browser, which has no space in its own name
LESSONS, CHECKPOINTS = "lessons of ", "checkpoints of "  # before a browser that brought some


def shared_name(picture: Picture) -> str:
    """A new name under which all who are told it may see a picture."""
    return f"{picture.digest}-{secrets.token_urlsafe(24)}"


def owner(browser: str, name: str) -> tuple[str, str]:
    """Whose picture a link names, and its digest: this browser's, or the one's who shares it."""
    shared = SHARED_PICTURE.fullmatch(name)
    return (f"{SHARING}{shared[2]}", shared[1]) if shared else (browser, name)


class OwnFiles:
    """Files by whose they are and digest in `folder`, the most recent ones."""

    def __init__(self, folder: Path, budget: int = MOST_BYTES) -> None:
        self._folder, self._budget = folder, budget

    def write(self, whose: str, digest: str, data: bytes) -> None:
        """Keep `data`; what nobody has looked at for longest makes room."""
        path, size = self._path(whose, digest), len(data)
        with suppress(OSError):
            if path.stat().st_size == size:
                path.touch()
                return
        others = sorted((seen, nbytes, other) for other, seen, nbytes in self._files() if other != path)
        total = sum(nbytes for _, nbytes, _ in others)
        for _, nbytes, other in others:
            if total + size > self._budget:
                other.unlink(missing_ok=True)
                total -= nbytes
        unfinished = self._folder / f"{secrets.token_hex(8)}.unfinished"
        with suppress(OSError):  # where the disk is full, only a new session has to do without it
            try:
                unfinished.write_bytes(data)
                unfinished.replace(path)
            finally:
                unfinished.unlink(missing_ok=True)

    def read(self, whose: str, digest: str) -> bytes:
        """What is kept, if it is this very one's; else nothing."""
        with suppress(OSError):
            if whose and DIGEST.fullmatch(digest):
                return self._path(whose, digest).read_bytes()
        return b""

    def has(self, whose: str, digest: str) -> bool:
        """Whether the file is kept."""
        with suppress(OSError):
            return self._path(whose, digest).stat().st_size > 0
        return False

    def of(self, whose: str) -> list[str]:
        """The digests of all that are kept of somebody, in their own order."""
        end = self._path(whose, "").name
        return sorted(
            path.name.removesuffix(end) for path, _, nbytes in self._files() if path.name.endswith(end) and nbytes
        )

    def remove(self, whose: str, digest: str) -> None:
        """Forget one file."""
        self._path(whose, digest).unlink(missing_ok=True)

    def see(self, whose: str, digest: str) -> None:
        """Note that somebody is looking at it now."""
        with suppress(OSError):
            self._path(whose, digest).touch()

    def forget(self, seconds: float) -> tuple[set[str], set[str]]:
        """Forget what nobody looked at for so long: the digests of all that there were, and of those that are left."""
        there, left = set(), set()
        for path, seen, _ in self._files():
            there.add(path.stem)
            if seen < time.time() - seconds:
                path.unlink(missing_ok=True)
            else:
                left.add(path.stem)
        return there, left

    def _path(self, whose: str, digest: str) -> Path:
        return self._folder / f"{digest}.{hashlib.sha256(whose.encode()).hexdigest()}"

    def _files(self) -> Iterator[tuple[Path, float, int]]:
        """Path, time and size of each file."""
        with os.scandir(self._folder) as entries:
            for entry in entries:
                with suppress(FileNotFoundError):  # another server was quicker
                    state = entry.stat()
                    yield Path(entry.path), state.st_mtime, state.st_size


class OwnPictures(OwnFiles):
    """Pictures among them, each with its notes in the first line of its file."""

    def put(self, browser: str, picture: Picture) -> None:
        """Keep `picture` for `browser`."""
        self.write(browser, picture.digest, json.dumps(picture.notes).encode() + b"\n" + picture.data)

    def get(self, browser: str, digest: str) -> Picture | None:
        """The picture of that digest, if this very browser brought it and it is still kept."""
        notes, _, data = self.read(browser, digest).partition(b"\n")
        if not data:  # it was seen, and is not kept
            return None
        return Picture("own", "your picture", "The picture that was uploaded.", data, notes=tuple(json.loads(notes)))
