"""A hall for tests: the lecture's socket in a uvicorn of its own, as Streamlit starts it, and those who come."""

import asyncio
import json
import secrets
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from websockets import Origin
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.browser.server import LECTURER as SECRET
from vitviz.ui.server.browser_cookie import COOKIE
from vitviz.ui.server.gate.frames import CountedWebSocket
from vitviz.ui.server.lecture.hub import Hub
from vitviz.ui.server.lecture.socket import LectureSocket

CODE = "BCDF"
MESSAGE_TIMEOUT_S = 60.0


class Hall:
    """A running server, and its hub to look at."""

    def __init__(self, port: int) -> None:
        self.hub = Hub()
        self.socket = LectureSocket(self.hub)
        self.url = f"http://localhost:{port}"

    def app(self) -> Starlette:
        """What uvicorn serves."""
        return Starlette(routes=[WebSocketRoute("/{folder:path}lecture/socket/{code}", self.socket)])


@contextmanager
def hall() -> Iterator[Hall]:
    """A server in a thread."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        there = Hall(listening.getsockname()[1])
        config = uvicorn.Config(
            there.app(), ws=CountedWebSocket, log_level="error", ws_max_size=50 << 20, ws_per_message_deflate=False
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield there
        finally:
            server.should_exit = True
            thread.join()


class Person:
    """One browser in a room."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.id = secrets.token_hex(16)

    async def say(self, word: str, value: Any) -> None:
        """Send a message."""
        await self.connection.send(json.dumps({word: value}))

    async def heard(self, word: str) -> Any:
        """The value of the next message of that word."""
        while True:
            told = json.loads(await asyncio.wait_for(self.connection.recv(), MESSAGE_TIMEOUT_S))
            if word in told:
                return told[word]

    async def hears_nothing(self, word: str, seconds: float = 0.3) -> bool:
        """Whether no message of that word comes for a while."""
        try:
            await asyncio.wait_for(self.heard(word), seconds)
        except TimeoutError:
            return True
        return False

    async def dropped_or(self, word: str) -> Any:
        """The value of the next message of that word; None where the server hangs up instead."""
        try:
            return await self.heard(word)
        except ConnectionClosed:
            return None

    async def dropped(self) -> tuple[int, str]:
        """Code and sentence with which the server hangs up."""
        try:
            while True:
                await asyncio.wait_for(self.connection.recv(), MESSAGE_TIMEOUT_S)
        except ConnectionClosed as closed:
            return (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd else (1006, "")


async def come(
    url: str,
    code: str = CODE,
    origin: str = "",
    room_for: int = 0,
    address: str = "",
    source: str = "",
    browser: str = "",
) -> Person:
    """Connect, and say nothing yet; this machine keeps `room_for` bytes that are not read, or as many as it likes.

    `address`: for whom it asks, as a proxy on this machine does; `source`: from which address of this machine;
    `browser`: its cookie.
    """
    there = f"{url.replace('http', 'ws', 1)}/lecture/socket/{code}"
    options: dict[str, Any] = {"compression": None, "ping_interval": None, "max_size": None, "max_queue": None}
    headers = {"X-Forwarded-For": address, "Cookie": browser and f"{COOKIE}={browser}"}
    options["additional_headers"] = {name: value for name, value in headers.items() if value}
    if source:
        options["local_addr"] = source, 0
    if room_for:
        options["max_queue"] = 1
        options["sock"] = socket.socket()
        options["sock"].setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room_for)
        options["sock"].connect(("127.0.0.1", int(url.rpartition(":")[2])))
    return Person(await connect(there, origin=Origin(origin or url), **options))


async def follow(url: str, code: str = CODE, id: str = "", **how: Any) -> Person:
    """Come to follow, as another window of `id`; the state has been asked for, and not yet heard."""
    person = await come(url, code, **how)
    person.id = id or person.id
    await person.say("hello", {"id": person.id})
    return person


async def lead(url: str, code: str = CODE, *, secret: str = SECRET, owner: str = "f" * 32, state: Any = None) -> Person:
    """Come to lead."""
    person = await come(url, code)
    await person.say("hello", {"id": person.id, "secret": secret, "owner": owner, "state": state})
    return person


async def ask(leader: Person, step: Any) -> None:
    """Ask the question of a step; from now on guesses count, whoever's connection is the faster one."""
    await leader.say("move", step)
    await leader.say("ask", 1)
    while (await leader.heard("state"))["phase"] != "open":
        pass


@asynccontextmanager
async def lecture(url: str, followers: int, code: str = CODE) -> AsyncIterator[tuple[Person, list[Person]]]:
    """A lecturer and those who follow, who all have heard what is on screen; at the end the room is closed."""
    leader = await lead(url, code)
    await leader.heard("state")
    people = await asyncio.gather(*(follow(url, code) for _ in range(followers)))
    await asyncio.gather(*(person.heard("state") for person in people))
    try:
        yield leader, people
    finally:
        with suppress(ConnectionClosed):
            await leader.say("close", True)
        await asyncio.gather(*(person.connection.close() for person in (leader, *people)))
