"""The lecturer's own window as a component: it speaks with the room itself, and is told lessons and answers."""

from vitviz.messages import Lesson, Solution, WindowData
from vitviz.scripts.bundle import script_of, sheet_of
from vitviz.ui.components import Code, component


def _code() -> Code:
    css = sheet_of("questions/questions.css", "doors/lecturer/lecturer.css")
    return Code(script_of("doors/lecturer/lecturer.js"), css=css)


_show = component("vitviz.lecturer", _code)


def show(
    lesson: Lesson | None,
    step: int,
    grid: tuple[int, int],
    answer: Solution,
    shared: str | None = None,
) -> None:
    """Show the window at a step of a lesson as `told` tells it; `answer` is what is right there, and why nothing is.

    `shared` is the name under which others can see the picture that the window asked to share, "" where it is not here.
    """
    data: WindowData = {"lesson": lesson, "step": step, "grid": grid, **answer, "shared": shared}
    _show(key="lecturer", data=[data])
