"""A file that somebody takes away: a name that is safe everywhere, its limit, and writing it whole or not at all."""

import os
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex

from vitviz.machine.disk import why
from vitviz.takeaway.errors import TakeawayError

MOST_BYTES = 25_000_000
MOST_LETTERS = 100  # of a name, with its ending
OTHER = re.compile(r"[^A-Za-z0-9._-]+")
DOTS = re.compile(r"^[._-]+|[._-]+$|(?<=\.)\.+")  # hidden files, ways up, two dots in a row
RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)  # names that Windows keeps

MEDIA = {  # types by ending
    "png": "image/png",
    "svg": "image/svg+xml",
    "npz": "application/x-npz",
    "csv": "text/csv",
    "ipynb": "application/x-ipynb+json",
    "html": "text/html",
    "txt": "text/plain",
}


@dataclass(frozen=True, slots=True)
class File:
    """A file that somebody takes away: its `name` from `file_name`, its media type, its content."""

    name: str
    media: str
    data: bytes


def file_name(*words: str, ending: str) -> str:
    """Words joined to a name of letters, digits, "-", "_" and ".", at most 100 of them, "view" where none is left.

    >>> file_name("heads", "../b<16>", "layer 5", ending="svg")
    'heads-b_16-layer_5.svg'
    """
    safe = (DOTS.sub("", OTHER.sub("_", word)) for word in words)
    name = DOTS.sub("", "-".join(filter(None, safe))[: MOST_LETTERS - len(ending) - 1])
    if not name or RESERVED.fullmatch(name):
        name = f"view-{name}".rstrip("-")
    return f"{name}.{ending}"


def write_whole(path: str | Path, content: str | bytes) -> Path:
    """Write `content` to `path`; what stood there stays until all of it is on the disk.

    Raises `TakeawayError` where it cannot be written; then, and where somebody interrupts, nothing half is left.
    """
    target = Path(path)
    data = content.encode() if isinstance(content, str) else content
    unfinished = target.with_name(f".vitviz-{token_hex(8)}")
    try:
        with unfinished.open("xb") as file:  # with the permissions of any new file
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(target)
    except OSError as error:
        raise TakeawayError(f"{target.name} could not be written: {why(error)}") from error
    finally:
        with suppress(OSError):
            unfinished.unlink()
    return target
