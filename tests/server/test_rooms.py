"""Rooms behind nginx, with two servers: all who are in a room meet, also after its server has died and is back."""

import asyncio
import re
import sys
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection, RemoteDisconnected
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets import Origin
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidHandshake, InvalidStatus
from websockets.frames import Opcode

from tests.engine_calls import until
from tests.server.several import Several, await_answer, needs_nginx, proxied, several
from tests.server.test_class import run
from tests.unit.lecture.rooms.told import CHOOSE, step
from tests.unit.ui.server.gate.floods import FLOODS, written
from tests.unit.ui.server.lecture.hall import Person, come, follow, lead
from vitviz.lecture.rooms.limits import WRONG_AT_ONCE
from vitviz.ui.server.gate.frames import FRAMES

pytestmark = [needs_nginx, pytest.mark.skipif(sys.platform != "linux", reason="the deployment is for Linux")]

MANY = 20
ROOM, STREAM = "lecture/socket/BCDF", "_stcore/stream"
RUBBISH = (
    (STREAM, written(Opcode.TEXT, b"Streamlit speaks in bytes")),
    (STREAM, written(Opcode.BINARY, b"\xff\xff\xff")),
    (ROOM, written(Opcode.TEXT, b"\xff")),
    (ROOM, FLOODS["pings"]),
)
CODES = ("BCDF", "GHJK", "LMNP", "QRST", "VWXZ")


@pytest.fixture(scope="module")
def servers() -> Iterator[Several]:
    with several(2, **{"server.address": "127.0.0.1", "runner.postScriptGC": "false"}) as servers:
        yield servers


def secret_of(servers: Several) -> str:
    """What one of the servers has printed for the lecturer, and only one."""
    (printed,) = re.findall(r"/lecturer#token=(\S+)", servers.said())
    return printed


def test_all_who_are_in_a_room_meet_wherever_it_is(servers: Several) -> None:
    with proxied(servers) as url:
        run(meet(url, secret_of(servers)))
        with pytest.raises(InvalidStatus) as refused:
            run(come(url, origin="https://evil.example"))
        assert refused.value.response.status_code == 403
        with pytest.raises(InvalidStatus) as uncounted:
            run(come(f"{url}/x", origin=url))
        assert uncounted.value.response.status_code == 404
        with pytest.raises(RemoteDisconnected):
            asked_for("evil.example", url)
    assert asked_for("evil.example", servers.urls[0]) == 421


def asked_for(host: str, url: str) -> int:
    """The status with which a server answers who asks for a name."""
    with closing(HTTPConnection(urlsplit(url).netloc, timeout=60)) as connection:
        connection.request("GET", "/", headers={"Host": host})
        return connection.getresponse().status


async def meet(url: str, secret: str) -> None:
    for code in CODES:
        leader = await lead(url, code, secret=secret)
        people = await asyncio.gather(*(follow(url, code) for _ in range(3)))
        await asyncio.gather(*(person.heard("state") for person in people))
        await leader.say("move", step(CHOOSE, 7))
        assert [(await person.heard("state"))["step"] for person in people] == [7] * 3
        await leader.say("close", True)
        for one in (leader, *people):
            assert (await one.dropped())[0] == 1000


def test_the_servers_know_behind_the_proxy_who_comes_from_where(servers: Several) -> None:
    with proxied(servers) as url:
        run(from_where(url, secret_of(servers)))


async def from_where(url: str, secret: str) -> None:
    """Each server has a budget of wrong codes for the stranger, whatever addresses that makes up."""
    letters = "BCDFGHJKLMNPQRSTVWXZ"
    codes = [f"ZZ{one}{two}" for one in letters for two in letters][: 2 * (WRONG_AT_ONCE + 40)]
    leader = await lead(url, secret=secret)
    await leader.heard("state")
    people = await asyncio.gather(
        *(follow(url, code, address=f"10.0.0.{at}", source="127.0.0.2") for at, code in enumerate(codes))
    )
    told = [await person.dropped() for person in people]
    assert {code for code, _ in told} == {4404, 4429}
    assert (4429, "too many wrong letters came from your network; wait a minute") in told
    neighbour = await follow(url, source="127.0.0.3")
    assert await neighbour.heard("state")
    await leader.say("close", True)
    await asyncio.gather(*(one.dropped() for one in (leader, neighbour)))


@pytest.mark.parametrize("path", [ROOM, STREAM])
def test_a_line_that_floods_is_closed_also_behind_the_proxy(servers: Several, path: str) -> None:
    with proxied(servers) as url:
        for address in (servers.urls[0], url):
            assert run(flood(address, path)) == [(1008, f"more than {FRAMES} frames a second")] * len(FLOODS)


async def flood(url: str, path: str) -> list[tuple[int, str]]:
    people = [await line_to(url, path) for _ in FLOODS]
    for person, frames in zip(people, FLOODS.values(), strict=True):
        person.connection.transport.write(frames)
    return [await person.dropped() for person in people]


def test_strangers_cannot_fill_the_log(servers: Several) -> None:
    before = servers.said()
    for _ in range(MANY):
        run(rubbish(servers.urls[0]))
    said = servers.said().removeprefix(before)
    for words in (
        *("Error deserializing back message", "KeyError: 'bytes'", "Invalid UTF-8 sequence", "Invalid HTTP request"),
        *("this server is not known as", "A connection was closed"),
    ):
        assert said.count(words) <= 1, words  # none where a test before has had its line within the minute
        assert words in servers.said()
    assert said.count("\n") < 100
    assert "Traceback" not in said


async def rubbish(url: str) -> None:
    lines = [await line_to(url, path) for path, _ in RUBBISH]
    for person, (_, said) in zip(lines, RUBBISH, strict=True):
        person.connection.transport.write(said)
    with pytest.raises(InvalidStatus):
        await line_to(url, STREAM, host="evil.example")
    reader, writer = await asyncio.open_connection("localhost", int(url.rpartition(":")[2]))
    writer.write(b"rubbish\r\n\r\n")
    assert b"400" in await reader.readline()
    writer.close()
    for person in lines:
        assert (await person.dropped())[0] in (1002, 1006, 1007, 1008)


async def line_to(url: str, path: str, host: str = "localhost") -> Person:
    port = int(url.rpartition(":")[2])
    address = f"ws://{host}:{port}/{path}"
    return Person(await connect(address, origin=Origin(url), compression=None, host="localhost", port=port))


def test_a_lecture_goes_on_at_another_server_and_stays_there_when_the_first_is_back(servers: Several) -> None:
    with proxied(servers) as url:
        run(goes_on(servers, url, secret_of(servers)))


async def goes_on(servers: Several, url: str, secret: str) -> None:
    leader = await lead(url, secret=secret)
    await leader.say("move", step(CHOOSE, 7))
    while (state := await leader.heard("state"))["step"] != 7:
        pass
    before = servers.processes()
    mine = await at(servers)
    servers.kill(mine)
    assert (await leader.dropped())[0] == 1006
    leader, seen = await comes_back(lambda: lead(url, secret=secret, state=state))
    person, told = await comes_back(lambda: follow(url))
    assert (seen["step"], told["step"]) == (7, 7)
    until(lambda: servers.processes().get(mine, before[mine]) != before[mine])
    await_answer(int(mine))
    await asyncio.sleep(2.5)  # nginx asks it again
    late = [await comes_back(lambda: follow(url)) for _ in range(4)]
    assert await at(servers) != mine
    await leader.say("move", step(CHOOSE, 8))
    for one in (person, *(it for it, _ in late)):
        assert (await one.heard("state"))["step"] == 8
    await leader.say("close", True)
    for one in (leader, person, *(it for it, _ in late)):
        assert (await one.dropped())[0] == 1000


async def at(servers: Several) -> str:
    """The port of the server that lets people into the room, as soon as there is one."""
    for _ in range(100):
        for port, url in zip(servers.ports, servers.urls, strict=True):
            try:
                person = await follow(url)
            except (InvalidHandshake, OSError):
                continue
            if (await person.dropped_or("state")) is not None:
                await person.connection.close()
                return str(port)
        await asyncio.sleep(0.25)
    raise AssertionError("the room is nowhere")


async def comes_back(come: Any) -> tuple[Person, Any]:
    """Knock as a browser does, once a second or more often, until the room is there."""
    for _ in range(40):
        try:
            person = await come()
            if (state := await person.dropped_or("state")) is not None:
                return person, state
        except (InvalidHandshake, OSError):
            pass
        await asyncio.sleep(0.25)
    raise AssertionError("the room did not come back")
