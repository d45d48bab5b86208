"""How large a file may be, and writing it whole or not at all."""

import os
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from vitviz.machine.disk import why
from vitviz.takeaway.errors import TakeawayError

MOST_BYTES = 25_000_000  # of a file that somebody takes away


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
