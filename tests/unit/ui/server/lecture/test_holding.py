"""Which of several servers has a room."""

import asyncio
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from tests.unit.ui.server.lecture.hall import CODE, Hall, follow, lecture
from vitviz.ui.server.lecture.holding import Holding
from vitviz.ui.sidebar import own_folder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    tmp_path.chmod(0o700)
    monkeypatch.setenv(own_folder.FOLDER, str(tmp_path))
    return tmp_path


def test_a_room_is_at_one_server_until_that_ends_it(folder: Path) -> None:
    one, other = Holding(), Holding()
    assert not other.has_another(CODE)
    assert one.take(CODE)
    assert (one.has_another(CODE), other.has_another(CODE), other.take(CODE)) == (False, True, False)
    assert not other.has_another("ZZZZ")
    one.release(CODE)
    assert list((folder / "rooms").iterdir()) == []
    assert not other.has_another(CODE)
    assert other.take(CODE)
    other.release(CODE)


def test_a_server_that_has_died_has_no_room(folder: Path) -> None:
    (folder / "rooms").mkdir()
    (folder / "rooms" / CODE).touch()  # its lock went with it
    holding = Holding()
    assert not holding.has_another(CODE)
    assert holding.take(CODE)
    holding.release(CODE)


def test_alone_a_server_has_every_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(own_folder.FOLDER, raising=False)
    one, other = Holding(), Holding()
    assert one.take(CODE)
    assert other.take(CODE)
    assert not one.has_another(CODE)


def test_who_asks_the_wrong_server_is_told_before_anything_opens(folder: Path, hall: Hall) -> None:
    elsewhere = Holding()
    assert elsewhere.take(CODE)
    with pytest.raises(InvalidStatus) as refused:
        asyncio.run(follow(hall.url))
    assert refused.value.response.status_code == 404
    elsewhere.release(CODE)
    asyncio.run(leads(hall))
    assert list((folder / "rooms").iterdir()) == []


async def leads(hall: Hall) -> None:
    other = Holding()
    async with lecture(hall.url, 1):
        assert other.has_another(CODE)
