"""Lessons that a visitor brought: kept in the session, under an address that holds their digest."""

import streamlit as st

from vitviz.images import digest
from vitviz.lecture import LESSONS, Lesson, lesson, read_lesson

BEGINS = "own-"
KEPT = "own_lessons"
MOST = 4


def bring(data: bytes) -> Lesson:
    """Read a file and keep its lesson for this session. Raises `LessonError`."""
    brought = read_lesson(data, BEGINS + digest(data)[:16])
    kept: dict[str, Lesson] = st.session_state.setdefault(KEPT, {})
    kept.pop(brought.name, None)
    kept[brought.name] = brought
    while len(kept) > MOST:
        del kept[next(iter(kept))]
    return brought


def brought() -> list[Lesson]:
    """Those of this session, the last one first."""
    return list(st.session_state.get(KEPT, {}).values())[::-1]


def known(name: str) -> Lesson | None:
    """A lesson that ships, or one of this session, by its name."""
    if name in LESSONS:
        return lesson(name)
    found: Lesson | None = st.session_state.get(KEPT, {}).get(name)
    return found
