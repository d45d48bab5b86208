"""A lecturer without a browser: a room that a test moves, and what its browsers are asked."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Page, expect
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.browser.server import LECTURER, Server

OWNER = "0123456789abcdef" * 2
STEPS = 9  # of a lesson that tests make up


class Leader:
    """Leads a room, as the lecturer's window does."""

    def __init__(self, line: ClientConnection) -> None:
        self._line = line

    def say(self, **message: Any) -> None:
        """One message."""
        self._line.send(json.dumps(message))

    def move(self, step: int, view: str, says: str, question: dict[str, Any] | None = None) -> None:
        """Move to a step."""
        shown = {"says": says, "view": view, "question": question, "explains": "Because it is so."}
        self.say(move={"title": "A lesson", "step": step, "of": STEPS, **shown})

    def reveal(self, step: int, truth: dict[str, Any]) -> None:
        """Show what is right at a step."""
        self.say(reveal={"step": step, "truth": truth})

    def hear(self, word: str) -> Any:
        """What the room says next under this word."""
        while True:
            message = json.loads(self._line.recv(timeout=30))
            if word in message:
                return message[word]


@contextmanager
def leading(server: Server, code: str) -> Iterator[Leader]:
    """Open a room, and close it at the end."""
    url = f"ws{server.url.removeprefix('http')}/lecture/socket/{code}"
    with connect(url, origin=Origin(server.url), ping_interval=None) as line:
        leader = Leader(line)
        leader.say(hello={"id": OWNER, "secret": LECTURER, "owner": OWNER, "state": None})
        leader.hear("state")
        yield leader
        leader.say(close=True)


def lead(page: Page, code: str) -> None:
    """Let the browser of `page` lead a room from its next visit on."""
    kept = json.dumps({"code": code, "secret": LECTURER, "owner": OWNER})
    page.add_init_script(f"localStorage.setItem('vitviz_lecture', {json.dumps(kept)})")


def bar(page: Page, says: str) -> None:
    """Wait until the bar says where this browser is."""
    expect(page.locator(".lecture-bar b")).to_have_text(says)


def go_on(page: Page) -> None:
    """Press PgDn as soon as it goes on: in a window that leads it waits for answers, and a moment after each phase."""
    expect(page.locator(".lecturer .on:visible, .lecture-bar .on:visible")).to_be_enabled()
    page.keyboard.press("PageDown")


def runs(page: Page) -> int:
    """How often the page has asked Python."""
    asked: int = page.evaluate("() => __traffic.runs")
    return asked


@contextmanager
def attending(server: Server, code: str, name: str = OWNER[::-1]) -> Iterator[Leader]:
    """Somebody who follows the room, and guesses, without a browser."""
    url = f"ws{server.url.removeprefix('http')}/lecture/socket/{code}"
    with connect(url, origin=Origin(server.url)) as line:
        other = Leader(line)
        other.say(hello={"id": name})
        other.hear("state")
        yield other
