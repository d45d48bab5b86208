"""Writing a file whole or not at all."""

import os
from pathlib import Path
from tempfile import NamedTemporaryFile

from vitviz.takeaway.errors import TakeawayError


def write_whole(path: str | Path, content: str | bytes) -> Path:
    """Write `content` to `path`; what stood there stays until all of it is on the disk.

    Raises `TakeawayError` where it cannot be written; then, and where somebody interrupts, nothing half is left.
    """
    target = Path(path)
    data = content.encode() if isinstance(content, str) else content
    name = ""
    try:
        with NamedTemporaryFile(dir=target.parent, prefix=".vitviz-", delete=False) as beside:
            name = beside.name
            beside.write(data)
            beside.flush()
            os.fsync(beside.fileno())
        os.chmod(name, 0o666 & ~_mask())  # a temporary file is its owner's alone
        os.replace(name, target)
    except OSError as error:
        raise TakeawayError(f"{target.name} could not be written: {error.strerror or error}") from error
    finally:
        if name and os.path.exists(name):
            os.remove(name)
    return target


def _mask() -> int:
    """The permissions that this process takes from new files."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
