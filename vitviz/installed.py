"""Where the app's files lie, its JavaScript, `app.py`, `pages/` and `.streamlit/`, and a digest of what computes."""

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

PACKAGE = Path(__file__).parent
FRONTEND = PACKAGE / "frontend"
# Beside the package in the repository, and inside it in a wheel.
APP = next(folder for folder in (PACKAGE / "_app", PACKAGE.parent) if (folder / "app.py").is_file())
COMPUTING = ("torch", "numpy", "pillow")  # another version of these may round otherwise


@cache
def code_digest() -> str:
    """All that numbers follow from beside model, picture and edits, as sha256: code, parameters, what computes.

    Equal in every process that has the same files, and another as soon as one of them is.
    """
    libraries = " ".join(f"{name} {version(name)}" for name in COMPUTING)
    return sha256("\n".join([libraries, *map(digest_of_files, (PACKAGE, APP / "pages"))]).encode()).hexdigest()


def digest_of_files(folder: Path) -> str:
    """sha256 of all files of a folder that numbers may follow from, and of their names in it."""
    found = sha256()
    for path in sorted(_files(folder)):
        content = path.read_bytes()
        found.update(f"{path.relative_to(folder).as_posix()} {len(content)}\n".encode())
        found.update(content)
    return found.hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    """Python, tables, names of classes and parameters: the browser's scripts are no part of what they draw."""
    return (path for end in ("py", "json", "txt", "safetensors") for path in folder.rglob(f"*.{end}"))
