"""How the command line starts the app."""

from collections.abc import Sequence

from vitviz.installed import APP


def start(arguments: Sequence[str]) -> None:
    """Serve the app until it is interrupted; `arguments` are those of `streamlit run`."""
    from vitviz.ui.private import cli

    cli.main(["run", str(APP / "app.py"), *arguments])
