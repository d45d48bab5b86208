"""Lessons that a visitor brought: kept for their browser, under an address that holds the digest of the file.

As with pictures of one's own: any tab and any server of this machine finds it, until nobody looks at it any more.
"""

import streamlit as st

from vitviz.images import digest
from vitviz.lecture import LESSONS, Lesson, lesson, read_lesson
from vitviz.ui.sidebar import uploads

BEGINS = "own-"
LETTERS = 16  # of the digest
OWN_LESSONS = "own_lessons"  # those that this session has read
MOST = 4


def bring(data: bytes) -> Lesson:
    """Read a file and keep its lesson for this browser. Raises `LessonError`."""
    name = digest(data)[:LETTERS]
    lesson = _noted(read_lesson(data, BEGINS + name))
    uploads.keep_lesson(name, data)
    return lesson


def lessons() -> list[Lesson]:
    """Those of this session, the last one first, then others of this browser."""
    mine = list(_read().values())[::-1]
    others = [name for name in (BEGINS + it for it in uploads.lessons()) if name not in _read()]
    return mine + [it for name in others[: MOST - len(mine)] if (it := find(name))]


def is_own(name: str) -> bool:
    """Whether a name is that of a lesson that somebody brought."""
    return name.startswith(BEGINS)


def find(name: str) -> Lesson | None:
    """A lesson that ships, or one of this browser, by its name."""
    if name in LESSONS:
        return lesson(name)
    data = uploads.look_at_lesson(name.removeprefix(BEGINS)) if name.startswith(BEGINS) else b""
    found = _read().get(name)
    return _noted(read_lesson(data, name)) if data and not found else found


def _read() -> dict[str, Lesson]:
    read: dict[str, Lesson] = st.session_state.setdefault(OWN_LESSONS, {})
    return read


def _noted(found: Lesson) -> Lesson:
    """A lesson, which this session need not read again."""
    read = _read()
    read.pop(found.name, None)
    read[found.name] = found
    while len(read) > MOST:
        del read[next(iter(read))]
    return found
