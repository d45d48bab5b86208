"""One leads, all see it: moves, guesses, several windows, a process that died, and the end."""

import asyncio
import gc
import time
from contextlib import suppress
from pathlib import Path
from weakref import ref

import pytest
from websockets.exceptions import ConnectionClosed

from tests.unit.lecture.rooms.told import CHOOSE, answer, step
from tests.unit.ui.server.lecture.hall import CODE, SECRET, Hall, come, follow, lead, lecture
from vitviz.selection import Picture
from vitviz.ui.server.lecture import hub
from vitviz.ui.sidebar import own_folder
from vitviz.ui.sidebar.own_pictures import OwnPictures, owner, shared_name


def test_all_see_what_one_leads(hall: Hall) -> None:
    asyncio.run(all_see(hall.url))


async def all_see(url: str) -> None:
    async with lecture(url, 3) as (leader, people):
        await leader.say("move", step(CHOOSE, 7))
        for person in people:
            state = await person.heard("state")
            assert (state["step"], state["view"], state["explains"]) == (7, step()["view"], "")
            assert "withheld" not in state
        assert (await leader.heard("state"))["withheld"] == "Because."
        for word, value in (("view", "heads?layer=9"), ("pointer", ["photo", 0.25, 0.5]), ("pointer", None)):
            await leader.say(word, value)
            assert [await person.heard(word) for person in people] == [value] * 3
        assert await leader.hears_nothing("pointer"), "an echo would pull at the lecturer's own hand"
        late = await follow(url)
        state = await late.heard("state")
        assert (state["step"], state["view"]) == (7, "heads?layer=9")
        await late.connection.close()


def test_a_class_guesses_and_only_the_lecturer_hears_how_it_goes(hall: Hall) -> None:
    asyncio.run(guesses(hall.url))


async def guesses(url: str) -> None:
    async with lecture(url, 3) as (leader, people):
        await leader.say("move", step(CHOOSE))
        await people[0].say("vote", 0)
        assert await people[0].heard("voted") is False, "nothing is asked yet"
        await leader.say("ask", 1)
        for person in people:
            assert (await person.heard("state"))["phase"] in ("none", "open")
        assert (await leader.heard("votes"))["voted"] == 0, "how many are to come is said from the beginning"
        for person, option in zip(people, (1, 1, 0), strict=True):
            await person.say("vote", option)
            assert await person.heard("voted") is True
        while (sums := await leader.heard("votes"))["voted"] < 3:
            pass
        assert sums == {"voted": 3, "choose": [1, 2, 0], "right": None}
        assert await people[0].hears_nothing("votes")
        await leader.say("lock", True)
        await people[0].say("vote", 0)
        await leader.say("reveal", answer("choose"))
        for person in people:
            while (state := await person.heard("state"))["phase"] != "revealed":
                assert (state["explains"], state["result"]) == ("", None)
            assert state["result"]["rounds"] == [{"voted": 3, "choose": [1, 2, 0], "right": 1}]
            assert state["explains"] == "Because."
        await leader.say("table", True)
        assert (await leader.heard("table")).count("\r\n") == 4
        assert await people[0].hears_nothing("table")


def test_the_lecturer_hears_how_many_follow(hall: Hall) -> None:
    asyncio.run(counted(hall.url))


async def counted(url: str) -> None:
    async with lecture(url, 4) as (leader, people):
        while await leader.heard("following") != 4:
            pass
        await people[0].connection.close()
        assert await leader.heard("following") == 3
        twice = await come(url)
        await twice.say("hello", {"id": people[1].id})  # another window of the same browser
        await twice.heard("state")
        assert await leader.heard("following") == 3
        await twice.connection.close()


def test_the_lecturer_hears_whether_the_classs_screen_is_open(hall: Hall) -> None:
    asyncio.run(screens(hall.url))


async def screens(url: str) -> None:
    owner = "f" * 32
    desk = await come(url)
    await desk.say("hello", {"id": owner, "secret": SECRET, "owner": owner, "state": None})
    assert await desk.heard("screens") == 0, "the lecturer's own window is none"
    screen = await lead(url, owner=owner)
    assert await desk.heard("screens") == 1
    await screen.connection.close()
    assert await desk.heard("screens") == 0
    await desk.say("close", True)
    await desk.dropped()


def test_the_lecturer_hears_how_many_pages_are_on_their_way(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "LOOK", 0.0)
    counts = iter((2, 2, 2, 5, 5, 0))
    monkeypatch.setattr(hub, "under_way", lambda: next(counts, 0))
    asyncio.run(on_their_way(hall.url))


async def on_their_way(url: str) -> None:
    leader = await lead(url)
    assert [await leader.heard("waiting") for _ in range(3)] == [2, 5, 0], "only what has changed"
    await leader.say("close", True)
    assert (await leader.dropped())[0] == 1000


def test_all_windows_of_the_lecturer_lead(hall: Hall) -> None:
    asyncio.run(windows(hall.url))


async def windows(url: str) -> None:
    async with lecture(url, 1) as (projector, (person,)):
        desk = await lead(url)
        await desk.heard("state")
        await desk.say("move", step(CHOOSE, 2))
        for one, heard in ((projector, 0), (person, None), (desk, 1)):
            state = await one.heard("state")
            assert (state["step"], state.get("heard")) == (2, heard), "who moved knows that this comes after its move"
        await desk.say("move", step(CHOOSE, 2))
        assert (await desk.heard("state"))["heard"] == 2, "also where nothing has changed"
        assert await person.hears_nothing("state")
        await projector.connection.close()
        await desk.say("move", step(CHOOSE, 3))
        assert (await person.heard("state"))["step"] == 3
        await desk.say("vote", 0)
        assert await desk.dropped() == (4403, "who leads does not vote")


def test_a_room_that_nobody_leads_ends_and_one_whose_lecturer_comes_back_does_not(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(unled(hall, monkeypatch))


async def unled(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    async with lecture(hall.url, 1) as (leader, (person,)):
        gathering = hall.hub.rooms[CODE]
        await leader.connection.close()
        while not gathering._unled:
            await asyncio.sleep(0.01)
        assert not gathering._unled.cancelled()
        leader = await lead(hall.url)
        await leader.heard("state")
        assert gathering._unled.cancelled()
        assert CODE in hall.hub.rooms
        monkeypatch.setattr(hub, "UNLED", 0.0)
        await leader.connection.close()
        assert await person.heard("over") is True
        assert await person.dropped() == (1000, "the lecture is over")
        assert hall.hub.rooms == {}


def test_when_it_is_over_nothing_is_left(hall: Hall) -> None:
    asyncio.run(over(hall))


async def over(hall: Hall) -> None:
    async with lecture(hall.url, 3) as (leader, people):
        (gathering,) = hall.hub.rooms.values()
        room, connections = (
            ref(gathering.room),
            [ref(connection) for connection in (*gathering._leads, *gathering._follows)],
        )
        del gathering
        await leader.say("move", step(CHOOSE))
        await leader.say("ask", 1)
        await people[0].say("vote", 1)
        await leader.say("close", True)
        with suppress(ConnectionClosed):  # both too late
            await people[1].say("vote", 1)
            await leader.say("close", True)
        for person in (leader, *people):
            assert await person.heard("over") is True
            assert (await person.dropped())[0] == 1000
    assert hall.hub.rooms == {}
    until = time.monotonic() + 60
    while len(hall.socket._places) and time.monotonic() < until:
        await asyncio.sleep(0.05)
    assert len(hall.socket._places) == 0
    while (room() or any(connection() for connection in connections)) and time.monotonic() < until:
        await asyncio.sleep(0.05)
        gc.collect()
    assert not room()
    assert len(connections) == 4
    assert not any(connection() for connection in connections)
    person = await follow(hall.url)
    assert (await person.dropped())[0] == 4404


def test_a_lecturer_brings_the_room_back_after_its_process_died(hall: Hall) -> None:
    asyncio.run(brought_back(hall))


async def brought_back(hall: Hall) -> None:
    async with lecture(hall.url, 0) as (leader, _):
        await leader.say("move", step(CHOOSE, 7))
        await leader.say("ask", 1)
        while (state := await leader.heard("state"))["phase"] != "open":
            pass
        hall.hub.rooms.clear()  # as a new process begins
        waiting = await follow(hall.url)
        assert (await waiting.dropped())[0] == 4404
        again = await lead(hall.url, state=state)
        assert (await again.heard("state"))["withheld"] == "Because."
        back = await follow(hall.url)
        seen = await back.heard("state")
        assert (seen["step"], seen["phase"], seen["serial"]) == (7, "open", state["serial"] + 1)
        await back.say("vote", 0)
        assert await back.heard("voted") is False, "what was guessed before is lost"
        assert await back.heard("voted") is True
        forger = await lead(hall.url, "ZZZZ", state={**state, "view": "//evil.example"})
        assert (await forger.dropped())[0] == 4400
        assert "ZZZZ" not in hall.hub.rooms
        for one in (again, back):
            await one.connection.close()


def test_a_picture_that_was_shared_goes_with_the_room_or_before(
    hall: Hall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o700)
    monkeypatch.setenv(own_folder.FOLDER, str(tmp_path))
    kept = OwnPictures(own_folder.part("pictures"))
    asyncio.run(shares(hall.url, kept))


async def shares(url: str, kept: OwnPictures) -> None:
    own, names = "0" * 64, []
    for data in (b"one", b"two"):
        picture = Picture("own", "", "", data)
        names.append(shared_name(picture))
        kept.put(owner("", names[-1])[0], picture)

    def there() -> list[bool]:
        return [kept.has(*owner("", name)) for name in names]

    async with lecture(url, 1) as (leader, (person,)):
        await leader.say("view", f"heads?picture={own}&layer=2")
        assert await person.heard("view") == "heads?layer=2", "whose digest it is, is nobody's business"
        await leader.say("share", names[0])
        assert (await person.heard("state"))["view"] == f"heads?picture={names[0]}&layer=2"
        assert there() == [True, True]
        await leader.say("share", names[1])
        assert (await person.heard("state"))["shared"] == names[1]
        assert there() == [False, True]
        await leader.say("close", True)
        await person.heard("over")
    assert there() == [False, False]
