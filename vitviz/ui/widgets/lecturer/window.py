"""The lecturer's own window as a component: it speaks with the room itself, and is told lessons and answers."""

from pathlib import Path
from typing import Any

from vitviz.scripts.bundle import bundle
from vitviz.scripts.lean import lean_script, lean_sheet
from vitviz.ui.components import Code, component

FRONTEND = Path(__file__).parent / "frontend"
QUESTION_STYLES = Path(__file__).parents[2] / "board" / "frontend" / "questions" / "questions.css"


def _code() -> Code:
    sheets = (QUESTION_STYLES, FRONTEND / "lecturer.css")
    css = "".join(lean_sheet(sheet.read_text(encoding="utf-8")) for sheet in sheets)
    return Code(lean_script(bundle(FRONTEND / "lecturer.js")), css=css)


_show = component("vitviz.lecturer", _code)


def show(
    lesson: dict[str, Any] | None,
    step: int,
    grid: tuple[int, int],
    answer: dict[str, Any],
    shared: str | None = None,
) -> None:
    """Show the window at a step of a lesson as `told` tells it; `answer` is what is right there, and why nothing is.

    `shared` is the name under which others can see the picture that the window asked to share, "" where it is not here.
    """
    _show(key="lecturer", data=[{"lesson": lesson, "step": step, "grid": grid, **answer, "shared": shared}])
