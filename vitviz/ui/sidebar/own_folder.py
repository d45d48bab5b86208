"""The folder that holds what visitors bring: this user's alone, and shared by the servers that are told where it is."""

import os
import shutil
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from vitviz.engine.process.private_socket import require_private

FOLDER = "VITVIZ_UPLOADS"  # names it; without it a server has one of its own, which goes when it ends


def part(name: str) -> Path:
    """A folder in it, made where it is not there.

    Raises `PermissionError` where others may enter the whole, and `FileNotFoundError` where it went with this server.
    """
    if shared := os.environ.get(FOLDER):
        folder = Path(shared)
        folder.mkdir(mode=0o700, exist_ok=True)
    else:
        folder = Path(_own().name)
    if os.name == "posix":
        require_private(folder)
    (folder / name).mkdir(exist_ok=True)
    return folder / name


def clear() -> None:
    """Delete the folder of this server alone, for good; what others share is theirs."""
    if not os.environ.get(FOLDER):
        folder = Path(_own().name)
        with suppress(OSError):  # on Windows, where somebody reads a file of it
            # Under another name: whoever still writes into it would bring back what is deleted.
            shutil.rmtree(folder.rename(f"{folder}.gone"), ignore_errors=True)
        _own().cleanup()


@cache
def _own() -> "TemporaryDirectory[Any]":
    """In no cache of Streamlit's, which any visitor's program can clear."""
    return TemporaryDirectory(prefix="vitviz-", ignore_cleanup_errors=True)
