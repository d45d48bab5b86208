"""One stranger among many: lines, guesses and codes that are made up shut out and outvote nobody."""

import asyncio

import pytest

from tests.deployment import SERVER, blocks, values
from tests.unit.lecture.rooms.told import CHOOSE, step
from tests.unit.ui.server.lecture.hall import CODE, Hall, Person, ask, follow, lecture
from vitviz.lecture.rooms import ballot, tries
from vitviz.lecture.rooms.limits import FOLLOWERS, WRONG_AT_ONCE
from vitviz.ui.server.lecture import hub, socket
from vitviz.ui.server.lecture.origin import network

STRANGER, HALL = "203.0.113.7", "198.51.100.20"
NEVER = 2.0**-30  # a second


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "PAUSE", 0.0)


def test_made_up_lines_and_guesses_of_one_address_shut_nobody_out(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "FOLLOWERS", 60)
    asyncio.run(made_up(hall))


async def made_up(hall: Hall) -> None:
    async with lecture(hall.url, 0) as (leader, _):
        (gathering,) = hall.hub.rooms.values()
        await ask(leader, step(CHOOSE))
        strangers = [await guess(hall.url, 2, STRANGER) for _ in range(90)]
        refused = "the room is full: of 60 places your network has 60, and no more are to be had"
        assert [await one.dropped() for one in strangers[60:]] == [(4429, refused)] * 30
        others = [await guess(hall.url, 1, f"192.0.2.{number}") for number in range(10)]
        for one in others:
            await counted(one)
        real = [await guess(hall.url, 1, HALL) for _ in range(20)]
        for one in real:
            await counted(one)
        full = "the room is full, and your network has other places in it"
        assert [await one.dropped() for one in strangers[30:60]] == [(4429, full)] * 30
        assert gathering.following == 60
        while (sums := await leader.heard("votes"))["choose"][1] < 30:
            pass
        assert sums["choose"] == [0, 30, 60]
        for one in (*strangers[:30], *others, *real):
            await one.connection.close()


async def guess(url: str, option: int, address: str) -> Person:
    """Somebody who comes from an address and guesses."""
    person = await follow(url, address=address)
    await person.say("vote", option)
    return person


async def counted(person: Person) -> None:
    """Wait until a guess counts, which it did not when its browser came."""
    while not await person.heard("voted"):
        pass


def test_who_comes_back_is_told_whether_the_guess_counts(hall: Hall) -> None:
    asyncio.run(comes_back(hall.url))


async def comes_back(url: str) -> None:
    async with lecture(url, 0) as (leader, _):
        await ask(leader, step(CHOOSE))
        first = await guess(url, 1, HALL)
        await counted(first)
        await first.connection.close()
        second = await guess(url, 0, HALL)  # there was never more than one at once
        await counted(second)
        for id, counts in ((first.id, False), (second.id, True)):
            back = await follow(url, address=HALL, id=id)
            assert await back.heard("voted") is counts
            await back.connection.close()
        await leader.say("lock", True)
        while (await second.heard("state"))["phase"] != "locked":
            pass
        await second.say("vote", 1)
        assert await second.heard("voted") is False, "too late"
        await second.connection.close()


def test_codes_cannot_be_tried_quickly_and_nobody_else_waits(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tries, "WRONG_PER_SECOND", NEVER)
    monkeypatch.setattr(tries, "BURST", WRONG_AT_ONCE / NEVER)
    asyncio.run(codes_are_tried(hall))


async def codes_are_tried(hall: Hall) -> None:
    letters = "BCDFGHJKLMNPQRSTVWXZ"
    codes = [f"ZZ{one}{two}" for one in letters for two in letters][: WRONG_AT_ONCE + 20]
    async with lecture(hall.url, 0):
        told = [await (await follow(hall.url, code, address=STRANGER)).dropped() for code in codes]
        assert told[:WRONG_AT_ONCE] == [(4404, "there is no such room, or not yet")] * WRONG_AT_ONCE
        wait = (4429, "too many wrong letters came from your network; wait a minute")
        assert told[WRONG_AT_ONCE:] == [wait] * 20
        assert await (await follow(hall.url, CODE, address=STRANGER)).dropped() == wait, "right or wrong"
        person = await follow(hall.url, CODE, address=HALL)
        assert await person.heard("state")
        for code in codes:
            await (await follow(hall.url, code, address=HALL)).dropped()
        neighbour = await follow(hall.url, CODE, address=HALL)
        assert await neighbour.heard("state"), "where somebody has been in the room, its code is no guess"
        for one in (person, neighbour):
            await one.connection.close()


def test_in_the_network_of_who_leads_no_wrong_letters_keep_anybody_out(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tries, "BURST", 0.0)
    asyncio.run(network_of_who_leads(hall))


async def network_of_who_leads(hall: Hall) -> None:
    async with lecture(hall.url, 0):
        assert (await (await follow(hall.url, CODE, address=STRANGER)).dropped())[0] == 4429
        assert (await (await follow(hall.url, "ZZZZ")).dropped())[0] == 4429
        student = await follow(hall.url)
        assert await student.heard("state"), "the first one who comes"
        await student.connection.close()


@pytest.mark.parametrize("where", ["room", "server"])
def test_two_windows_of_one_browser_in_a_full_room_do_not_take_turns(
    where: str, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(*{"room": (hub, "FOLLOWERS", 3), "server": (socket, "CONNECTIONS", 3)}[where])
    asyncio.run(two_windows(hall, where))


async def two_windows(hall: Hall, where: str) -> None:
    async with lecture(hall.url, 2):
        first = await follow(hall.url, browser="mine")
        assert await first.heard("state")
        second = await follow(hall.url, browser="mine", id=first.id)
        assert await second.heard("state")
        told = f"the {where} is full, and another window of this browser has your place"
        assert await first.dropped() == (4409, told)
        again = await follow(hall.url, browser="mine", id=first.id)
        assert await again.heard("state"), "who asks for it, has it"
        assert await second.dropped() == (4409, told)
        await again.connection.close()


def test_who_is_one_too_many_of_a_network_is_told_that_the_guess_does_not_count(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ballot, "CROWD", 3)
    asyncio.run(crowd(hall.url))


async def crowd(url: str) -> None:
    async with lecture(url, 5) as (leader, people):
        await ask(leader, step(CHOOSE))
        for person in people:
            await person.say("vote", 0)
            await counted(person)
        strangers = [await guess(url, 2, STRANGER) for _ in range(5)]
        assert [await of_guess(one) for one in strangers] == [True] * 3 + [False] * 2
        while (sums := await leader.heard("votes"))["choose"] != [5, 0, 3]:
            assert sums["choose"][2] <= 3
        for one in strangers:
            await one.connection.close()


async def of_guess(person: Person) -> bool:
    """Whether a guess counts: what is heard behind what was said when its browser came."""
    assert await person.heard("voted") is False
    return bool(await person.heard("voted"))


def test_the_proxy_tells_addresses_anew_and_leaves_it_to_the_server_who_stays() -> None:
    (room,) = [block for words, block in blocks("location", SERVER) if words == ["^~", "/lecture/socket/"]]
    ((_, people),) = values("limit_conn", room)
    assert int(people) > 2 * FOLLOWERS, "two full rooms"
    assert ["X-Forwarded-For", "$remote_addr"] in values("proxy_set_header", SERVER)
    assert values("proxy_set_header", room) == [], "or those of the server would not hold"


def test_a_room_may_have_six_letters(hall: Hall) -> None:
    asyncio.run(six_letters(hall))


async def six_letters(hall: Hall) -> None:
    async with lecture(hall.url, 2, "BCDFGH"):
        assert list(hall.hub.rooms) == ["BCDFGH"]
        assert (await (await follow(hall.url, "BCDF")).dropped())[0] == 4404


@pytest.mark.parametrize(
    ("host", "is_one"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"),
        ("2001:db8:1:9999::9", "2001:db8:1::/48"),
        ("", ""),
        ("unix:", "unix:"),
        ("x" * 900, "x" * 64),
    ],
)
def test_an_address_is_what_somebody_cannot_change_at_will(host: str, is_one: str) -> None:
    assert network(host) == is_one
