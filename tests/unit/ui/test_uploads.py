"""Whose picture it is: one browser's, at every server, within a budget, and forgotten when its last session left."""

import errno
import os
import time
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from vitviz.engine import Engine, File, Request
from vitviz.selection import Picture
from vitviz.ui.sidebar import own_folder, uploads
from vitviz.ui.sidebar.own_pictures import OwnPictures
from vitviz.ui.sidebar.uploads import SessionPictures

TTL = 600.0


def picture(name: str, size: int = 10) -> Picture:
    return Picture("own", "your picture", "The picture that was uploaded.", name.encode().ljust(size))


def size_of(data: bytes) -> int:
    return len(data)


def test_a_picture_is_given_to_the_browser_that_brought_it_and_to_no_other(tmp_path: Path) -> None:
    one, other = OwnPictures(tmp_path), OwnPictures(tmp_path)
    mine = replace(picture("mine\nand yours"), notes=("Only its first frame.", "Ärger"))
    one.put("ann", mine)
    assert one.get("ann", mine.digest) == other.get("ann", mine.digest) == mine
    for browser in ("bob", "", "ann/"):
        assert one.get(browser, mine.digest) is None
    assert one.get("ann", picture("other").digest) is None


def test_nothing_but_a_digest_finds_a_file(tmp_path: Path) -> None:
    kept = OwnPictures(tmp_path / "pictures")
    (tmp_path / "pictures").mkdir()
    kept.put("ann", mine := picture("mine"))
    (path,) = (tmp_path / "pictures").iterdir()
    for name in (f"../pictures/{mine.digest}", f"{mine.digest}\n", mine.digest.upper(), "", "*", str(path)):
        assert kept.get("ann", name) is None
    assert "ann" not in path.name


def test_those_that_nobody_looked_at_for_longest_make_room(tmp_path: Path) -> None:
    kept, pictures = OwnPictures(tmp_path, budget=250), [picture(str(i), 100) for i in range(4)]
    for place, one in enumerate(pictures[:3]):
        kept.put("ann", one)
        looked_at(tmp_path, one, seconds_ago=50 - 10 * place)
    kept.see("ann", pictures[1].digest)
    kept.put("ann", pictures[3])
    assert [kept.get("ann", one.digest) is not None for one in pictures] == [False, True, False, True]
    large = picture("large", 1000)
    kept.put("ann", large)
    assert kept.get("ann", large.digest) == large
    assert len(list(tmp_path.iterdir())) == 1


def test_a_full_disk_keeps_nothing_half_and_all_that_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, before, mine = OwnPictures(tmp_path), picture("before"), picture("mine")
    kept.put("ann", before)

    def half(path: Path, data: bytes) -> int:
        with path.open("wb") as file:
            file.write(data[:10])
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(Path, "write_bytes", half)
        kept.put("ann", mine)
    assert len([*tmp_path.iterdir()]) == 1
    assert kept.has("ann", before.digest)
    assert not kept.has("ann", mine.digest)


def test_one_that_is_seen_and_not_kept_is_not_to_be_had(tmp_path: Path) -> None:
    kept, mine = OwnPictures(tmp_path), picture("mine")
    kept.see("ann", mine.digest)
    assert kept.get("ann", mine.digest) is None
    kept.put("ann", mine)
    assert kept.get("ann", mine.digest) == mine


def looked_at(folder: Path, picture: Picture, seconds_ago: float) -> None:
    """As if nobody had looked at it since."""
    for path in folder.glob(f"{picture.digest}.*"):
        os.utime(path, (time.time() - seconds_ago,) * 2)


class Web:
    """A server's side: its own memory of who looks at what, an engine, and the folder that all share."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.engine = Engine()
        self._kept, self._monkeypatch = OwnPictures(folder), monkeypatch
        self._watched, self._known = type(uploads._watched)(), set[str]()

    def enter(self) -> None:
        """What runs now runs at this server."""
        for name, value in {
            "engine": lambda: self.engine,
            "_files": lambda: self._kept,
            "_watched": self._watched,
            "_digests": self._known,
            "browser": lambda: "ann",
        }.items():
            self._monkeypatch.setattr(uploads, name, value)

    def look(self, session: SessionPictures, picture: Picture) -> None:
        """A run in which a session shows the picture, and the engine has made something of it."""
        self.enter()
        self._monkeypatch.setattr(uploads, "_session", lambda: session)
        uploads.keep(picture)
        uploads._watch(picture)
        self.engine.submit(Request(size_of, (File(picture.digest, picture.data),))).result(60)

    def leave(self, session: SessionPictures) -> None:
        self.enter()
        uploads._leave(session)

    def tidy(self) -> None:
        self.enter()
        uploads.tidy(TTL)

    @property
    def results(self) -> int:
        return self.engine.status().results


@pytest.fixture
def webs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Web, Web]:
    return Web(tmp_path, monkeypatch), Web(tmp_path, monkeypatch)


def test_what_was_made_of_a_picture_goes_with_the_last_who_looks_at_it(webs: tuple[Web, Web], tmp_path: Path) -> None:
    (web, _), shared = webs, picture("shared")
    guests = [SessionPictures(), SessionPictures()]
    for session in guests:
        for _ in range(3):
            web.look(session, shared)
    for session, left in zip(guests, (1, 0), strict=True):
        web.leave(session)
        looked_at(tmp_path, shared, seconds_ago=TTL + 1)
        web.tidy()
        assert web.results == left
    assert list(tmp_path.iterdir()) == []


def test_who_comes_back_in_time_finds_everything_as_it_was(webs: tuple[Web, Web], tmp_path: Path) -> None:
    (web, _), mine = webs, picture("mine")
    before, after = SessionPictures(), SessionPictures()
    web.look(before, mine)
    web.leave(before)
    looked_at(tmp_path, mine, seconds_ago=TTL - 5)
    web.tidy()
    assert web.results == 1
    web.look(after, mine)
    looked_at(tmp_path, mine, seconds_ago=TTL + 1)
    web.tidy()
    assert web.results == 1


def test_it_is_forgotten_at_every_server_when_the_last_session_has_left_at_any(
    webs: tuple[Web, Web], tmp_path: Path
) -> None:
    (one, other), mine = webs, picture("mine")
    before, after = SessionPictures(), SessionPictures()
    one.look(before, mine)
    one.leave(before)
    other.look(after, mine)
    looked_at(tmp_path, mine, seconds_ago=TTL + 1)
    other.tidy()
    one.tidy()
    assert (one.results, other.results) == (1, 1)
    other.leave(after)
    looked_at(tmp_path, mine, seconds_ago=TTL + 1)
    one.tidy()
    other.tidy()
    assert (one.results, other.results) == (0, 0)
    assert list(tmp_path.iterdir()) == []


def test_what_the_visitors_of_a_server_that_died_brought_goes_in_time(webs: tuple[Web, Web], tmp_path: Path) -> None:
    (dead, other), mine = webs, picture("mine")
    dead.look(SessionPictures(), mine)
    other.engine.submit(Request(size_of, (File(mine.digest, mine.data),))).result(60)
    looked_at(tmp_path, mine, seconds_ago=TTL - 5)
    other.tidy()
    assert other.results == 1
    looked_at(tmp_path, mine, seconds_ago=TTL + 1)
    other.tidy()
    assert other.results == 0
    assert list(tmp_path.iterdir()) == []


def test_a_lesson_is_at_every_server_for_its_browser_alone_and_goes_with_who_looks_at_it(
    webs: tuple[Web, Web], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (one, other), name, data = webs, "0123456789abcdef", b"title = 'Mine'"
    sessions = [SessionPictures(), SessionPictures()]
    for web, session in zip(webs, sessions, strict=True):
        web.enter()
        monkeypatch.setattr(uploads, "_session", lambda session=session: session)
        if web is one:
            uploads.keep_lesson(name, data)
        assert (uploads.look_at_lesson(name), uploads.lessons()) == (data, [name])
    for browser in ("bob", ""):
        monkeypatch.setattr(uploads, "browser", lambda browser=browser: browser)
        assert (uploads.look_at_lesson(name), uploads.lessons()) == (b"", [])
    for web, session, left in ((one, sessions[0], 1), (other, sessions[1], 0)):
        web.leave(session)
        for path in tmp_path.iterdir():
            os.utime(path, (time.time() - TTL - 1,) * 2)
        other.tidy()
        one.tidy()
        assert len([*tmp_path.iterdir()]) == left


def test_the_folder_is_this_servers_alone_and_goes_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "_files", lambda: OwnPictures(tmp_path))  # whatever other tests have left sweeping
    monkeypatch.setattr(own_folder, "_own", cache(lambda: TemporaryDirectory(dir=tmp_path)))
    monkeypatch.delenv(own_folder.FOLDER, raising=False)
    pictures = own_folder.part("pictures")
    assert pictures.is_dir()
    assert pictures.parent.stat().st_mode & 0o777 == 0o700
    own_folder.clear()
    with pytest.raises(FileNotFoundError):
        own_folder.part("pictures")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_servers_share_stays_and_nobody_else_may_enter_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(own_folder.FOLDER, str(tmp_path / "shared"))
    pictures = own_folder.part("pictures")
    assert pictures.parent == tmp_path / "shared"
    own_folder.clear()
    assert own_folder.part("pictures").is_dir()
    pictures.parent.chmod(0o755)
    with pytest.raises(PermissionError, match="must be this user's alone"):
        own_folder.part("pictures")
