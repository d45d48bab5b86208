"""Where the app's own files lie: its JavaScript, `app.py`, `pages/` and `.streamlit/`."""

from pathlib import Path

PACKAGE = Path(__file__).parent
FRONTEND = PACKAGE / "frontend"
# Beside the package in the repository, and inside it in a wheel.
APP = next(folder for folder in (PACKAGE / "_app", PACKAGE.parent) if (folder / "app.py").is_file())
