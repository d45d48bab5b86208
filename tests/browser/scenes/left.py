"""What tests of the chapter Tokens share: the board on the picture of a red ball left of a blue one."""

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, Position, expect

from tests.browser.watch import reach
from vitviz.numbers import small

GRID, PATCH_SIZE = 12, 8  # of the demo model


def open_board(page: Page, stem: str, **query: str | int) -> None:
    """Open a page of the board on this picture, or go there from another."""
    words = "&".join(f"{name}={value}" for name, value in {"sample": "left", **query}.items())
    reach(page, f"/{stem}?{words}")
    expect(page.locator(".readout")).not_to_be_empty()


def readout(page: Page, text: str) -> None:
    expect(page.locator(".readout")).to_have_text(text)


def on_patch(page: Page, patch: int) -> Position:
    """A place on the photo, in the middle of a patch that counts from 0."""
    box = page.locator(".photo canvas").bounding_box()
    assert box
    return {
        "x": (patch % GRID + 0.5) * box["width"] / GRID,
        "y": (patch // GRID + 0.5) * box["height"] / GRID,
    }


def asked(page: Page, name: str) -> str | None:
    return parse_qs(urlsplit(page.url).query).get(name, [None])[0]


def addend(number: float) -> str:
    return f"({small(number)})" if number < 0 else small(number)
