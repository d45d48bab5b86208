"""The folder that holds what visitors bring: this user's alone, and shared by the servers that are told where it is."""

import os
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from vitviz.engine.process.private_socket import require_private

FOLDER = "VITVIZ_UPLOADS"  # names it; without it a server has one of its own, which goes when it ends


def part(name: str) -> Path:
    """A folder in it, made where it is not there. Raises `PermissionError` where others may enter the whole."""
    folder = Path(os.environ.get(FOLDER) or _own().name)
    folder.mkdir(mode=0o700, exist_ok=True)
    if os.name == "posix":
        require_private(folder)
    (folder / name).mkdir(exist_ok=True)
    return folder / name


def clear() -> None:
    """Delete the folder of this server alone; what others share is theirs."""
    if not os.environ.get(FOLDER):
        _own().cleanup()
        _own.cache_clear()


@cache
def _own() -> "TemporaryDirectory[Any]":
    """In no cache of Streamlit's, which any visitor's program can clear."""
    return TemporaryDirectory(prefix="vitviz-", ignore_cleanup_errors=True)
