"""One message a minute of each kind, and how many there were between."""

import asyncio
import logging
from unittest.mock import Mock

import pytest
from starlette.websockets import WebSocket
from uvicorn.config import Config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.protocol import State

from vitviz.ui.server.gate.log import OnceAMinute


class Printed(logging.Handler):
    """What comes through, as it would be printed."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.setFormatter(logging.Formatter())

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


class Clock:
    now = 1000.0


@pytest.fixture
def printed() -> Printed:
    return Printed()


@pytest.fixture
def log(printed: Printed) -> logging.Logger:
    logger = logging.Logger("a part")
    logger.addFilter(OnceAMinute(lambda: Clock.now))
    logger.addHandler(printed)
    return logger


def complain(log: logging.Logger, who: object) -> None:
    log.warning("Refused: %s", who)


def stumble(log: logging.Logger, how: object) -> None:
    try:
        if how == "by a word":
            int("word")
        [][0]
    except (ValueError, IndexError):
        log.exception("It fell")


def test_a_kind_is_printed_once_a_minute_with_the_number_held_back(log: logging.Logger, printed: Printed) -> None:
    for number in range(1000):
        complain(log, f"stranger {number}")
    assert printed.lines == ["Refused: stranger 0"]
    Clock.now += 59
    complain(log, "another")
    Clock.now += 2
    complain(log, "100 %")
    assert printed.lines[1:] == ["Refused: 100 % (and 1,000 more like it before)"]
    Clock.now += 61
    complain(log, "the last")
    assert printed.lines[2:] == ["Refused: the last"]


def test_other_messages_and_other_errors_are_other_kinds(log: logging.Logger, printed: Printed) -> None:
    for _ in range(10):
        complain(log, "one")
        log.warning("something else")
        stumble(log, "by a word")
        stumble(log, "otherwise")
    assert len(printed.lines) == 4
    assert ["ValueError" in line for line in printed.lines] == [False, False, True, False]
    assert "IndexError" in printed.lines[3]


def test_what_no_browser_sends_is_a_sentence_without_a_traceback(log: logging.Logger, printed: Printed) -> None:
    asyncio.run(no_text(log))
    try:
        asyncio.run(no_bytes())
    except KeyError:
        log.exception("Exception in ASGI application\n")
    assert [line.rpartition(" (line ")[0] for line in printed.lines] == [
        "Invalid UTF-8 sequence received from client.: UnicodeDecodeError: "
        "'utf-8' codec can't decode byte 0xff in position 0: invalid start byte",
        "Exception in ASGI application: KeyError: 'bytes'",
    ]


async def no_text(log: logging.Logger) -> None:
    """A text frame that is no UTF-8, as uvicorn reads it."""
    line = WebSocketsSansIOProtocol(Config(app), ServerState(), {})
    line.logger, line.transport, line.conn.state = log, Mock(), State.OPEN
    line.curr_msg_data_type, line.frames = "text", [b"\xff"]
    line.send_receive_event_to_app()


async def app(scope: object, receive: object, send: object) -> None: ...


async def no_bytes() -> None:
    """Text where Streamlit reads bytes."""
    come = iter(({"type": "websocket.connect"}, {"type": "websocket.receive", "text": "words"}))

    async def receive() -> dict[str, str]:
        return next(come)

    async def send(message: object) -> None: ...

    line = WebSocket({"type": "websocket"}, receive, send)
    await line.accept()
    await line.receive_bytes()
