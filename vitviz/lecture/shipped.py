"""The lessons that come with the app."""

from functools import cache
from pathlib import Path

from vitviz.lecture.lesson import Lesson
from vitviz.lecture.reading import LessonError, read_lesson
from vitviz.machine.disk import why

FOLDER = Path(__file__).parent / "lessons"
LESSONS = ("vit_in_45_minutes", "what_a_head_looks_at", "where_the_parameters_sit")


@cache
def lesson(name: str) -> Lesson:
    """One of `LESSONS`. Raises `KeyError` for another name."""
    return read_lesson(text_of(name), name)


def named(name: str) -> Lesson:
    """A lesson by its file or, where there is none, by its name. Raises `LessonError` with the way out."""
    path = Path(name)
    if name in LESSONS and not path.is_file():
        return lesson(name)
    try:
        return read_lesson(path.read_bytes())
    except FileNotFoundError as error:
        raise LessonError(f"neither a file nor a lesson; lessons are {', '.join(LESSONS)}") from error
    except OSError as error:
        raise LessonError(why(error)) from error


def text_of(name: str) -> str:
    """The file of one of `LESSONS`. Raises `KeyError` for another name."""
    if name not in LESSONS:
        raise KeyError(name)
    return (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
