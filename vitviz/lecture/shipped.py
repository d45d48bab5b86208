"""The lessons that come with the app."""

from functools import cache
from pathlib import Path

from vitviz.lecture.lesson import Lesson
from vitviz.lecture.reading import read_lesson

FOLDER = Path(__file__).parent / "lessons"
LESSONS = ("vit_in_45_minutes", "what_a_head_looks_at", "where_the_parameters_sit")


@cache
def lesson(name: str) -> Lesson:
    """One of `LESSONS`. Raises `KeyError` for another name."""
    return read_lesson(text_of(name), name)


def text_of(name: str) -> str:
    """The file of one of `LESSONS`. Raises `KeyError` for another name."""
    if name not in LESSONS:
        raise KeyError(name)
    return (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
