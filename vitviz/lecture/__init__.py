"""Lectures: lessons as data, and the rooms in which a class follows them; no Streamlit, no PyTorch at import.

>>> from vitviz.lecture import read_lesson
>>> read_lesson(Path("my_lesson.toml").read_bytes()).minutes
45.0
"""

from vitviz.lecture.lesson import Lesson, Question, Step
from vitviz.lecture.reading import LessonError, read_lesson
from vitviz.lecture.shipped import LESSONS, lesson
from vitviz.lecture.views import View, ViewError, read_view

__all__ = [
    "LESSONS",
    "Lesson",
    "LessonError",
    "Question",
    "Step",
    "View",
    "ViewError",
    "lesson",
    "read_lesson",
    "read_view",
]
