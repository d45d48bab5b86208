"""How the command line starts the app."""

import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec

from vitviz.installed import APP

# What Streamlit does on a desktop, but for its question for an e-mail address.
IN_A_BROWSER = ("--server.headless=false", "--server.showEmailPrompt=false")


def start(arguments: Sequence[str]) -> None:
    """Serve the app until it is interrupted, and open it in a browser where there is a desktop, unless told.

    `arguments` are those of `streamlit run`.
    """
    if not find_spec("streamlit"):
        sys.exit(
            "vitviz: the app needs Streamlit, which the library alone does not install: "
            '`pip install ".[app]"` in the repository; `vitviz --help` names what works without'
        )
    from vitviz.ui.private import cli

    chosen = "STREAMLIT_SERVER_HEADLESS" in os.environ or any(it.startswith("--server.headless") for it in arguments)
    cli.main(["run", str(APP / "app.py"), *(IN_A_BROWSER if has_desktop() and not chosen else ()), *arguments])


def has_desktop() -> bool:
    """Whether a browser has somewhere to open: elsewhere than on Linux it is taken for granted."""
    return sys.platform != "linux" or bool({"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys())
