"""Where the app's own files lie: `app.py`, `pages/` and `.streamlit/`."""

from pathlib import Path

PACKAGE = Path(__file__).parent
# Beside the package in the repository, and inside it in a wheel.
APP = next(folder for folder in (PACKAGE / "_app", PACKAGE.parent) if (folder / "app.py").is_file())
