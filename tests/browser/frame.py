"""How browser tests walk over the board, and use the sidebar beside it."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.watch import answered, open_page, pictured, settled

EXPANDED = "[data-testid=stSidebar][data-collapsed=false]"
COLLAPSED = "[data-testid=stSidebar][data-collapsed=true]"
# Whether no movement of it is under way; one that is ends at once.
STANDS = """(selector) => {
    const moves = document.querySelector(selector)?.getAnimations({ subtree: true }) ?? [];
    const running = moves.filter((each) => each instanceof CSSTransition && each.playState === "running");
    for (const each of running) each.finish();
    return !running.length;
}"""


def open_board(page: Page, path: str = "/") -> None:
    """Go to a page of the walk and wait until its scene and the photo are drawn."""
    open_page(page, path)
    pictured(page)
    drawn(page)


def drawn(page: Page) -> dict[str, Any]:
    """What the board shows: its page, moment, model and picture; after the frame under way."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    shown: dict[str, Any] = page.evaluate("() => globalThis.__vitviz_drawn")
    return shown


def rest(page: Page) -> None:
    """Wait until the address has followed the hand and Python has answered, where it was asked."""
    settled(page)


def turn(page: Page, key: str = "PageDown") -> None:
    """Press a key that may lead to another page, and wait until all of it is there."""
    page.keyboard.press(key)
    rest(page)


def walk(page: Page, stems: Iterable[str]) -> Iterator[str]:
    """From page to page by the boxes of the strip, "" being the front page; each when all of it is there."""
    for stem in stems:
        box = page.locator(f'.strip a.box[data-stem="{stem}"]')
        if box.get_attribute("aria-current") is None:
            box.click()
            page.wait_for_function("(stem) => location.pathname === `/${stem}`", arg=stem)
            rest(page)
        yield stem


def readout(page: Page) -> str:
    """The line under the photo."""
    return page.locator(".readout").inner_text()


def open_sidebar(page: Page) -> None:
    """Press its key, and wait until it has come."""
    if not page.locator(EXPANDED).count():
        page.keyboard.press("s")
    page.locator(EXPANDED).wait_for()
    page.wait_for_function(STANDS, arg=EXPANDED)


def close_sidebar(page: Page) -> None:
    """Press its key, and wait until it has gone."""
    page.keyboard.press("s")
    page.locator(COLLAPSED).wait_for(state="attached")
    page.wait_for_function(STANDS, arg=COLLAPSED)


def choose_sample(page: Page, place: int) -> None:
    """Press the sample at `place`, the first being 1."""
    open_sidebar(page)
    with answered(page):
        page.locator(".st-key-sample button").nth(place - 1).click()
    rest(page)


def choose_model(page: Page, name: str) -> None:
    """Choose a model of the sidebar's list."""
    open_sidebar(page)
    with answered(page):
        choose(page, "Model", name)
    rest(page)


def choose(page: Page, field: str, option: str) -> None:
    """Choose from one of Streamlit's lists by typing: a long one may still move when a mouse presses what it was on."""
    box = page.get_by_role("combobox", name=field)
    box.fill(option)
    expect(page.get_by_role("option").first).to_have_text(option)
    box.press("Enter")


def upload(page: Page, path: Any) -> None:
    """Give a picture to the sidebar's uploader."""
    open_sidebar(page)
    with answered(page):
        page.get_by_test_id("stSidebar").get_by_role("radio", name="Upload").click()
    with answered(page, messages=2):  # where may it go, and: it has come
        page.locator(".st-key-upload input[type=file]").set_input_files(path)
    rest(page)


def stem(page: Page) -> str:
    """The page that the address names."""
    found = re.search(r"//[^/]+/(\w*)", page.url)
    return found[1] if found else ""
