"""Where the app's own files lie, and how the command line starts it."""

from collections.abc import Sequence
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
# `app.py`, `pages/` and `.streamlit/` lie beside the package in the repository, and inside it in a wheel.
APP = next(folder for folder in (PACKAGE / "_app", PACKAGE.parent) if (folder / "app.py").is_file())


def start(arguments: Sequence[str]) -> None:
    """Serve the app until it is interrupted; `arguments` are those of `streamlit run`."""
    from streamlit.web import cli

    cli.main(["run", str(APP / "app.py"), *arguments])
