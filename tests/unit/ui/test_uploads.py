"""Whose picture it is: one browser's, within a budget, and dropped by the engine when the last session leaves."""

import time
from queue import SimpleQueue

import pytest

from vitviz.engine import Engine, File, Request
from vitviz.ui.selection import Picture
from vitviz.ui.sidebar import uploads
from vitviz.ui.sidebar.uploads import KeptPictures, SessionPictures


def picture(name: str, size: int = 10) -> Picture:
    return Picture("own", "your picture", "", name.encode().ljust(size))


def size_of(data: bytes) -> int:
    return len(data)


def test_a_picture_is_given_to_the_browser_that_brought_it_and_to_no_other() -> None:
    kept, mine = KeptPictures(), picture("mine")
    kept.put("ann", mine)
    assert kept.get("ann", mine.digest) is mine
    assert kept.get("bob", mine.digest) is None
    assert kept.get("", mine.digest) is None


def test_the_oldest_make_room() -> None:
    kept, pictures = KeptPictures(budget=250), [picture(str(i), 100) for i in range(4)]
    for one in pictures:
        kept.put("ann", one)
    assert [kept.get("ann", one.digest) is not None for one in pictures] == [False, False, True, True]
    assert kept.nbytes == 200
    large = picture("large", 1000)
    kept.put("ann", large)
    assert kept.get("ann", large.digest) is large
    assert kept.nbytes == 1000


def test_what_was_made_of_a_picture_goes_with_the_last_who_looks_at_it(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, shared = Engine(), picture("shared")
    monkeypatch.setattr(uploads, "engine", lambda: engine)
    engine.submit(Request(size_of, (File(shared.digest, shared.data),))).result(20)
    guests = [SessionPictures(), SessionPictures()]
    for session in guests:
        monkeypatch.setattr(uploads, "_session", lambda session=session: session)
        for _ in range(3):
            uploads._watch(shared)
    clock = Clock(monkeypatch)
    for session, left in zip(guests, (1, 0), strict=True):
        uploads._leave(session)
        clock.rings()
        assert engine.status().kept == left


def test_who_comes_back_in_time_finds_everything_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, mine = Engine(), picture("mine")
    monkeypatch.setattr(uploads, "engine", lambda: engine)
    clock = Clock(monkeypatch)
    engine.submit(Request(size_of, (File(mine.digest, mine.data),))).result(20)
    before, after = SessionPictures(), SessionPictures()
    monkeypatch.setattr(uploads, "_session", lambda: before)
    uploads._watch(mine)
    uploads._leave(before)
    monkeypatch.setattr(uploads, "_session", lambda: after)
    uploads._watch(mine)
    clock.rings()
    assert engine.status().kept == 1


class Clock:
    """The sweeper's hours, which pass when the test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left: SimpleQueue[tuple[float, set[str]]] = SimpleQueue()
        monkeypatch.setattr(uploads, "_left", self.left)
        monkeypatch.setattr(uploads, "_sweeper", lambda: None)

    def rings(self) -> None:
        """Time is up for who left first."""
        due, digests = self.left.get_nowait()
        assert due > time.monotonic()
        uploads._forget(digests)
