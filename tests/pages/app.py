"""The app under AppTest: one visitor at one page, and what stands on it."""

import json
from typing import Any

from streamlit.testing.v1 import AppTest

from vitviz.ui.navigation import ENTRIES
from vitviz.ui.selection import Selection

MAIN = "../../vitviz/ui/main.py"  # as seen from this file
FILES = {entry.stem: f"../../pages/{entry.file}" for entry in ENTRIES}  # as seen from the main script


def visit(stem: str = "overview", **query: str) -> AppTest:
    """The app as its first request finds it: a page by its address, with these query parameters."""
    app = AppTest.from_file(MAIN, default_timeout=120)
    for name, value in query.items():
        app.query_params[name] = value
    return turn_to(app, stem)


def turn_to(app: AppTest, stem: str) -> AppTest:
    """The same visitor on another page."""
    return app.switch_page(FILES[stem]).run()


def problems(app: AppTest) -> list[str]:
    """Exceptions and errors on the page."""
    return [error.value for error in (*app.exception, *app.error)]


def healthy(app: AppTest) -> AppTest:
    """The app, after a look at what it complains of."""
    assert problems(app) == []
    return app


def shown(app: AppTest) -> Selection:
    """The model and picture on the page."""
    selection: Selection = app.session_state["selection"]
    return selection


def captions(app: AppTest) -> str:
    """All captions of the main part, a line each."""
    return "\n".join(caption.value for caption in app.main.caption)


def figures(app: AppTest) -> list[dict[str, Any]]:
    """What Plotly draws, top to bottom."""
    return [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]


def html(app: AppTest) -> str:
    """What the page writes as HTML, top to bottom."""
    return "\n".join(element.proto.body for element in app.get("html"))
