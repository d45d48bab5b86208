"""Whose picture it is: one browser's, within a budget, and dropped by the engine when the last session leaves."""

import pytest

from vitviz.engine import Engine, File, Request
from vitviz.ui import own_pictures
from vitviz.ui.own_pictures import Guest, Shelf
from vitviz.ui.view import Picture


def picture(name: str, size: int = 10) -> Picture:
    return Picture("own", "your picture", "", name.encode().ljust(size))


def test_a_picture_is_given_to_the_browser_that_brought_it_and_to_no_other() -> None:
    shelf, mine = Shelf(), picture("mine")
    shelf.put("ann", mine)
    assert shelf.get("ann", mine.digest) is mine
    assert shelf.get("bob", mine.digest) is None
    assert shelf.get("", mine.digest) is None


def test_the_oldest_make_room() -> None:
    shelf, pictures = Shelf(budget=250), [picture(str(i), 100) for i in range(4)]
    for one in pictures:
        shelf.put("ann", one)
    assert [shelf.get("ann", one.digest) is not None for one in pictures] == [False, False, True, True]
    assert shelf.nbytes == 200
    large = picture("large", 1000)
    shelf.put("ann", large)
    assert shelf.get("ann", large.digest) is large
    assert shelf.nbytes == 1000


def test_what_was_made_of_a_picture_goes_with_the_last_who_looks_at_it(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, shared = Engine(), picture("shared")
    monkeypatch.setattr(own_pictures, "engine", lambda: engine)
    engine.submit(Request(len, (File(shared.digest, shared.data),))).result(20)
    guests = [Guest(), Guest()]
    for guest in guests:
        monkeypatch.setattr(own_pictures, "_guest", lambda guest=guest: guest)
        for _ in range(3):
            own_pictures._watch(shared)
    own_pictures._leave(guests[0])
    assert engine.status().kept == 1
    own_pictures._leave(guests[1])
    assert engine.status().kept == 0
