"""Whoever should neither lead nor be heard: without the secret, from elsewhere, too much, too long, too slow."""

import asyncio
import time
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.unit.lecture.rooms.told import CHOOSE, answer, step
from tests.unit.ui.server.lecture.hall import SECRET, Hall, come, follow, lead, lecture
from vitviz.lecture.rooms.limits import BURST, LONG, PER_SECOND, POINTER_PER_SECOND, SHORT
from vitviz.ui.server.gate import frames
from vitviz.ui.server.lecture import connection, hub, socket

WITHOUT_RIGHT = {
    "move": step(),
    "view": "heads",
    "pointer": ["photo", 0, 0],
    "blank": True,
    "ask": 1,
    "lock": True,
    "reveal": answer("choose"),
    "share": None,
    "table": True,
    "close": True,
}


def test_without_the_secret_nobody_leads(hall: Hall) -> None:
    asyncio.run(without_the_secret(hall))


async def without_the_secret(hall: Hall) -> None:
    for wrong in ("", "wrong", SECRET + "x", SECRET[:-1], "ü"):
        person = await lead(hall.url, secret=wrong)
        assert await person.dropped() == (4403, "this is not the lecturer's secret")
    assert hall.hub.rooms == {}
    async with lecture(hall.url, 1) as (_, (witness,)):
        thief = await lead(hall.url, secret="stolen")  # who has the code has nothing
        assert (await thief.dropped())[0] == 4403
        colleague = await lead(hall.url, owner="e" * 32)  # who has the secret leads rooms of her own
        assert await colleague.dropped() == (4403, "another browser leads this room")
        for word, value in WITHOUT_RIGHT.items():
            forger = await follow(hall.url)
            await forger.say(word, value)
            assert await forger.dropped() == (4403, "this browser follows")
        assert await witness.hears_nothing("state")


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://localhost", "null", "http://localhost:1@x", "file://"]
)
def test_a_page_of_another_site_is_refused(hall: Hall, origin: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        asyncio.run(come(hall.url, origin=origin))
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize("code", ["BCD", "BCDFG", "ABCD", "bcdf", "B%2FDF", "<b>x"])
def test_what_is_no_code_is_refused(hall: Hall, code: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        asyncio.run(come(hall.url, code))
    assert refused.value.response.status_code == 403


def test_a_room_that_is_not_there_is_said_and_nothing_is_kept_of_who_tries(hall: Hall) -> None:
    asyncio.run(no_room(hall))


async def no_room(hall: Hall) -> None:
    for code in ("BCDF", "ZZZZ", "TRWX"):
        person = await follow(hall.url, code)
        assert await person.dropped() == (4404, "there is no such room, or not yet")
    assert hall.hub.rooms == {}


BAD: dict[str, Any] = {
    "broken JSON": "{",
    "deep JSON": '{"vote":' + "[" * 2000 + "]" * 2000 + "}",
    "NaN": '{"vote": NaN}',
    "a list": "[1]",
    "two words": '{"vote": 1, "blank": true}',
    "an unknown word": '{"dance": 1}',
    "a wrong guess": '{"vote": "<b>1</b>"}',
    "bytes": b"\x00\x01",
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_message_is_the_last_one(hall: Hall, name: str) -> None:
    asyncio.run(bad_message(hall.url, BAD[name]))


async def bad_message(url: str, message: str | bytes) -> None:
    async with lecture(url, 2) as (leader, (person, other)):
        await leader.say("move", step(CHOOSE))
        await leader.say("ask", 1)
        while (await person.heard("state"))["phase"] != "open":
            pass
        await person.connection.send(message)
        code, sentence = await person.dropped()
        assert code == 4400
        assert sentence
        await other.say("vote", 1)
        assert await other.heard("voted"), "nobody else notices"


def test_what_is_too_long_is_refused_before_it_is_read(hall: Hall) -> None:
    asyncio.run(too_long(hall.url))


async def too_long(url: str) -> None:
    stranger = await come(url)
    await stranger.connection.send("x" * (LONG + 1))
    assert (await stranger.dropped())[0] == 1009
    async with lecture(url, 2) as (leader, (person, other)):
        await person.connection.send("x" * (SHORT + 1))
        assert (await person.dropped())[0] == 1009
        pieces = ("x" * (1 << 20) for _ in range(40))
        with pytest.raises(ConnectionClosed):
            await other.connection.send(pieces)
        assert next(pieces), "it hung up before all had come"
        await leader.say("move", step(CHOOSE, says="x" * 2_000, explains="y" * 2_000))  # more than a follower may
        assert (await leader.heard("state"))["says"] == "x" * 2_000


def test_a_flood_is_cut_off_and_a_pointer_at_its_rate_is_none(hall: Hall) -> None:
    asyncio.run(floods(hall.url))


async def floods(url: str) -> None:
    async with lecture(url, 3) as (leader, (person, *others)):
        start, most = time.monotonic(), int(BURST * POINTER_PER_SECOND)
        for number in range(most):
            await leader.say("pointer", ["scene", number / most, 0.5])
        for other in others:
            while (await other.heard("pointer"))[1] != round((most - 1) / most, 4):
                pass
        took = time.monotonic() - start
        for _ in range(100):
            try:
                await person.say("vote", 0)
            except ConnectionClosed:
                break
        assert await person.dropped() == (4429, "more than 10 messages a second")
        for _ in range(int(PER_SECOND * BURST)):
            await leader.say("blank", True)
        await leader.say("move", step())
        if took < 1:  # or the bucket may have filled again
            assert (await leader.dropped())[0] == 4429


def test_who_says_nothing_is_dropped(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "HELLO", 0.2)
    asyncio.run(silent(hall))


async def silent(hall: Hall) -> None:
    person = await come(hall.url)
    assert await person.dropped() == (4408, "nothing was said for 0.2 seconds")
    gone = await come(hall.url)
    await gone.connection.close()


def test_who_reads_nothing_is_dropped_and_nobody_waits(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "SLOW", 0.5)
    monkeypatch.setattr(socket, "PER_SECOND", 10_000)
    monkeypatch.setattr(frames, "FRAMES", 10_000)
    asyncio.run(does_not_read(hall))


async def does_not_read(hall: Hall) -> None:
    async with lecture(hall.url, 1) as (leader, (person,)):
        sleeper = await follow(hall.url, room_for=4_096)
        await sleeper.heard("state")
        sleeper.connection.transport.pause_reading()
        (gathering,) = hall.hub.rooms.values()
        number, until = 0, time.monotonic() + 30
        while gathering.following == 2 and time.monotonic() < until:
            number += 1
            await leader.say("move", step(CHOOSE, 1 + number % 30, says="é" * 2_000))
            while (await person.heard("state"))["step"] != 1 + number % 30:
                pass
        assert gathering.following == 1
        assert not any(it._waiting for it in gathering._follows), "who reads has all"
        sleeper.connection.transport.abort()


def test_a_slow_browser_catches_up_with_the_newest_alone(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "PER_SECOND", 10_000)
    monkeypatch.setattr(frames, "FRAMES", 10_000)
    asyncio.run(catches_up(hall))


async def catches_up(hall: Hall) -> None:
    moves = 150
    async with lecture(hall.url, 1) as (leader, (person,)):
        sleeper = await follow(hall.url, room_for=4_096)
        await sleeper.heard("state")
        sleeper.connection.transport.pause_reading()
        for number in range(moves):
            await leader.say("move", step(CHOOSE, 1 + number % 30, says=f"{number} " + "é" * 1_900))
            while not (await person.heard("state"))["says"].startswith(f"{number} "):
                pass
        await leader.say("view", "heads?layer=11")
        await person.heard("view")
        sleeper.connection.transport.resume_reading()
        heard = [-1]
        while heard[-1] != moves - 1:
            heard.append(int((await sleeper.heard("state"))["says"].partition(" ")[0]))
        assert heard == sorted(heard)
        assert len(heard) < moves / 2, "what was old was not sent any more"
        assert await sleeper.heard("view") == "heads?layer=11"
        sleeper.connection.transport.abort()


def test_a_slow_browser_hears_that_the_room_is_over(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "FAREWELL", 30.0)
    monkeypatch.setattr(socket, "PER_SECOND", 10_000)
    monkeypatch.setattr(frames, "FRAMES", 10_000)
    asyncio.run(hears_the_end(hall))


async def hears_the_end(hall: Hall) -> None:
    async with lecture(hall.url, 1) as (leader, (person,)):
        sleeper = await follow(hall.url, room_for=4_096)
        await sleeper.heard("state")
        sleeper.connection.transport.pause_reading()
        (gathering,) = hall.hub.rooms.values()
        number = 0
        while not any(it._waiting for it in gathering._follows):
            number += 1
            await leader.say("move", step(CHOOSE, 1 + number % 30, says="é" * 1_900))
            while (await person.heard("state"))["step"] != 1 + number % 30:
                pass
        await leader.say("close", True)
        assert await person.heard("over") is True
        sleeper.connection.transport.resume_reading()
        assert await sleeper.heard("over") is True
        assert await sleeper.dropped() == (1000, "the lecture is over")


def test_no_more_rooms_than_agreed_and_no_more_browsers(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "ROOMS", 2)
    monkeypatch.setattr(hub, "FOLLOWERS", 6)
    monkeypatch.setattr(socket, "CONNECTIONS", 10)
    asyncio.run(limits(hall))


async def limits(hall: Hall) -> None:
    async with lecture(hall.url, 6) as (_, _), lecture(hall.url, 0, "ZZZZ"):
        third = await lead(hall.url, "TTTT")
        assert await third.dropped() == (4429, "2 rooms are open, and no more can be")
        seventh = await follow(hall.url)
        full = "the room is full: of 6 places your network has 6, and no more are to be had"
        assert await seventh.dropped() == (4429, full)
        assert set(hall.hub.rooms) == {"BCDF", "ZZZZ"}
        silent = [await come(hall.url) for _ in range(4)]
        over = await come(hall.url)
        assert (await over.dropped())[0] == 4429
        for one in silent:
            await one.connection.close()
