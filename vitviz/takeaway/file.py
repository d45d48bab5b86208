"""A file that somebody takes away, and a name for it that is safe everywhere."""

import re
from dataclasses import dataclass

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
