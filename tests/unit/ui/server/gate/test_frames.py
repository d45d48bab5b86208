"""A connection that sends more frames or bytes than a hand could is closed, whatever it says, and a usual one never."""

import asyncio

import pytest
from uvicorn import Config
from uvicorn.config import WS_PROTOCOLS
from uvicorn.importer import import_from_string
from uvicorn.lifespan.on import LifespanOn
from websockets.frames import Opcode

from tests.unit.lecture.rooms.told import CHOOSE, step
from tests.unit.ui.server.gate.floods import FLOODS, MOST, written
from tests.unit.ui.server.lecture.hall import Hall, come, follow, lecture
from vitviz.ui.server.gate import frames
from vitviz.ui.server.gate.frames import BURST, BYTES, FRAMES, PONGS, CountedWebSocket, count_frames
from vitviz.ui.server.lecture import socket


def test_a_flood_of_frames_is_closed_before_and_after_a_line_has_said_who_it_is(hall: Hall) -> None:
    asyncio.run(floods(hall))


async def floods(hall: Hall) -> None:
    async with lecture(hall.url, len(FLOODS) + 1) as (leader, (other, *people)):
        strangers = [await come(hall.url) for _ in FLOODS]
        flooding = [*zip(strangers, FLOODS, strict=True), *zip(people, FLOODS, strict=True)]
        for one, name in flooding:
            one.connection.transport.write(FLOODS[name])
        for said in await asyncio.gather(*(one.dropped() for one, _ in flooding)):
            assert said == (1008, f"more than {FRAMES} frames a second")
        await leader.say("move", step(CHOOSE, 7))
        assert (await other.heard("state"))["step"] == 7


def test_a_message_of_more_bytes_than_may_come_at_once_is_closed(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "LONG", 50 << 20)
    assert asyncio.run(long_message(hall)) == (1008, f"more than {BYTES:,} bytes a second")


async def long_message(hall: Hall) -> tuple[int, str]:
    stranger = await come(hall.url)
    stranger.connection.transport.write(written(Opcode.TEXT, b"x" * int(2 * BYTES * BURST)))
    return await stranger.dropped()


def test_as_much_as_may_come_at_once_is_heard(hall: Hall) -> None:
    asyncio.run(all_at_once(hall))


async def all_at_once(hall: Hall) -> None:
    async with lecture(hall.url, 1) as (leader, (person,)):
        person.connection.transport.write(written(Opcode.PING) * (MOST * 9 // 10))
        await leader.say("move", step(CHOOSE, 7))
        assert (await person.heard("state"))["step"] == 7
        await (await person.connection.ping())


def test_who_leaves_pongs_unread_is_closed(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(frames, "FRAMES", 10**9)
    asyncio.run(reads_no_pongs(hall))
    assert [it.getMessage() for it in caplog.records if it.name == frames.__name__] == [
        f"A connection was closed: more than {PONGS} pongs were not read"
    ]


async def reads_no_pongs(hall: Hall) -> None:
    async with lecture(hall.url, 0):
        sleeper = await follow(hall.url, room_for=4_096)
        await sleeper.heard("state")
        (gathering,) = hall.hub.rooms.values()
        sleeper.connection.transport.pause_reading()
        sleeper.connection.transport.write(written(Opcode.PING, b"x" * 125) * 20_000)
        while gathering.following:
            await asyncio.sleep(0.01)
        sleeper.connection.transport.abort()


def test_streamlit_starts_uvicorn_with_the_protocol_that_counts_and_the_app_hands_it_over() -> None:
    from streamlit.web.server.starlette.starlette_server import _get_uvicorn_config_kwargs

    named = _get_uvicorn_config_kwargs()["ws"]
    assert CountedWebSocket.__base__ is import_from_string(str(WS_PROTOCOLS[named]))
    config = Config(lambda *_: None, ws=named)
    config.load()
    count_frames(LifespanOn(config).receive)  # type: ignore[arg-type]
    assert config.ws_protocol_class is CountedWebSocket
