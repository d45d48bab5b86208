"""Links from when the texts of buttons stood in them."""

import asyncio

import pytest
from starlette.types import Message, Receive, Scope, Send

from vitviz.addresses.old import VALUES
from vitviz.choices import SWITCHES
from vitviz.config import PRESETS
from vitviz.pages import PAGES
from vitviz.ui.server.old_links import OldLinks


def answer(query: str, kind: str = "http") -> tuple[int, str] | None:
    """Status and address that a request is answered with, or None where it is let through."""
    sent: list[dict] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        pass

    async def receive() -> Message:
        raise AssertionError("a link has no body")

    async def send(message: Message) -> None:
        sent.append(dict(message))

    scope = {"type": kind, "query_string": query.encode()}
    asyncio.run(OldLinks(app)(scope, receive, send))
    if not sent:
        return None
    return sent[0]["status"], dict(sent[0]["headers"])[b"location"].decode()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("shows=is+looked+at+by", "shows=column"),
        ("shows=is%20looked%20at%20by&scale=per+head", "shows=column&scale=own"),
        ("layer=3&shows=looks+at&query=40&pinned=true", "layer=3&shows=row&query=40"),
        ("patch=7", "query=7"),
        ("patch=7&query=9&number=3", "query=9&component=3"),
        ("query=9&patch=7", "query=9"),
        ("layer=2&mean=true", "layer=2&mean=1"),
        ("positions=off&query=3", "placed=off&query=3"),
        ("positions=shuffled", "placed=shuffled"),
        ("step=Layer+norm&query=12", "moment=norm&query=12"),
        ("step=Backpropagation", "moment=Backpropagation"),
        ("model=demo&scale=per+head&empty=&q=a%26b%0d%0aX", "model=demo&scale=own&empty=&q=a%26b%0D%0AX"),
    ],
)
def test_an_old_link_leads_to_the_same_view_under_its_address_of_today(old: str, new: str) -> None:
    assert answer(old) == (307, f"?{new}")


@pytest.mark.parametrize(
    "query",
    [
        "",
        "layer=3",
        "shows=column&scale=own",
        "shows=rollout",
        "shows=per+head",
        "query=looks+at",
        "shows=<b>",
        "mean=1&moment=2",
        "model=build-your-own&positions=relative",
    ],
)
def test_all_others_are_let_through(query: str) -> None:
    assert answer(query) is None


def test_a_socket_is_let_through() -> None:
    assert answer("shows=looks+at", "websocket") is None


def test_a_link_that_asked_for_what_is_gone_asks_for_nothing() -> None:
    assert answer("pinned=true") == (307, "?")


def test_what_it_leads_to_is_there() -> None:
    for (name, _), today in VALUES.items():
        assert today in (PAGES["encoder_block"].moment_names(PRESETS["demo"]) if name == "moment" else SWITCHES[name])
