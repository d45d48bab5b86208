"""Every page in Chromium, light and dark, on a laptop and on a phone: something to see that stays in its place, nothing
wrong, and readable for everybody.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.board import arrived
from tests.browser.frame import rest, walk
from tests.browser.pages import STEMS, path_of
from tests.browser.probe import MOST_SHIFT, PROBE
from tests.browser.watch import COLOURS, answered, open_page, settled, violations
from vitviz.pages import ON_BOARD

SCREENS: dict[str, dict[str, Any]] = {
    "laptop": {"viewport": {"width": 1280, "height": 720}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True},
}
DARK = """() => {
    const [red, green, blue] = getComputedStyle(document.querySelector("[data-testid=stApp]")).backgroundColor
        .match(/\\d+/g).map(Number);
    return Math.max(red, green, blue) < 64;
}"""
# Controls of the board that a finger would miss.
SMALL = """all => all.filter((it) => it.checkVisibility()).map((it) => [it, it.getBoundingClientRect()])
    .filter(([, box]) => box.width && Math.min(box.width, box.height) < 24)
    .map(([it, box]) => `${it.outerHTML.slice(0, 80)} is ${box.width} x ${box.height}`)"""
DRAWERS = {"formula": "f", "code": "x", "details": "d"}  # and their keys; the last is closed again


@pytest.fixture(params=SCREENS)
def page(visit: Callable[..., Page], request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page on each kind of screen, whose lights are on again when all that was drawn has gone."""
    page = visit(**SCREENS[request.param])
    yield page
    page.evaluate("() => sessionStorage.clear()")
    page.goto("about:blank")
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")


@pytest.mark.long
@pytest.mark.parametrize("stem", STEMS)
def test_page_is_whole_and_accessible(page: Page, stem: Any) -> None:
    page.add_init_script(PROBE)
    open_page(page, path_of(stem))
    rest(page)
    assert page.evaluate("() => __probe.shift") <= MOST_SHIFT
    expect(page.locator("h1:visible")).to_have_count(1)
    assert page.get_by_test_id("stException").all_inner_texts() == []
    assert _overflow(page) <= 0, "the page is wider than the screen"
    _check_readable(page, dark=True)


@pytest.mark.long
def test_an_open_drawer_is_whole_and_accessible_and_fingers_hit_every_control(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    open_page(page, "/?query=40&open=formula")  # by a link; all others by their keys
    touched = page.evaluate("() => navigator.maxTouchPoints > 0")
    dark = False
    for stem in walk(page, ["" if stem == "overview" else stem for stem in ON_BOARD]):
        for drawer, key in DRAWERS.items():
            if f"open={drawer}" not in page.url:
                with answered(page):
                    page.keyboard.press(key)
            assert f"open={drawer}" in page.url
            where = f"{drawer} of {stem or 'the front page'}"
            expect(page.locator(".st-key-drawer")).to_be_visible()
            assert page.get_by_test_id("stException").all_inner_texts() == [], where
            assert _overflow(page) <= 0, f"{where} is wider than the screen"
            if drawer == "details":
                dark = not dark
                _check_readable(page, dark=dark)
        page.keyboard.press(key)
        rest(page)
        if touched:
            arrived(page)
            assert page.locator(".board :is(button, a, select, input, summary)").evaluate_all(SMALL) == [], stem


def _check_readable(page: Page, *, dark: bool) -> None:
    """By axe's rules: as it is, and when its reader has turned the lights off, or else on again; they stay so."""
    assert violations(page) == []
    page.emulate_media(color_scheme="dark" if dark else "light")
    page.wait_for_function(f"(dark) => ({DARK})() === dark", arg=dark)
    settled(page)
    assert violations(page, *COLOURS) == []


def _overflow(page: Page) -> Any:
    """Pixels by which the main part, the board or a drawer is wider than what is shown of it."""
    wider = "all => Math.max(...all.map((it) => it.scrollWidth - it.clientWidth))"
    return page.locator("[data-testid=stMain], .board, .st-key-drawer").evaluate_all(wider)
