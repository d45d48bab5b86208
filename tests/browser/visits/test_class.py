"""Many at one server: a picture finds back to the browser that brought it, and to no other."""

import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Page, expect

from tests.browser.frame import EXPANDED, open_sidebar
from tests.browser.server import Server
from tests.browser.watch import context_of, open_page, settled


@pytest.fixture
def photo(tmp_path: Path) -> Any:
    """A picture that no sample is."""
    picture = Image.new("RGB", (640, 480), "#8a2be2")
    ImageDraw.Draw(picture).rectangle((100, 100, 300, 400), fill="#f2d541")
    picture.save(tmp_path / "photo.png")
    return tmp_path / "photo.png"


def crop(page: Page) -> Any:
    """Which model and picture are on the board."""
    settled(page)
    page.wait_for_function("() => globalThis.__vitviz_drawn?.digest")
    return page.evaluate("() => __vitviz_drawn.digest")


def bring(page: Page, photo: Any) -> Any:
    open_sidebar(page)
    page.get_by_test_id("stSidebar").get_by_text("Upload", exact=True).click()
    settled(page)
    page.locator(".st-key-upload input[type=file]").set_input_files(photo)
    page.wait_for_url(re.compile("picture=[0-9a-f]{64}"))


def test_a_reload_brings_back_ones_own_picture_and_nobody_elses(visit: Any, photo: Any) -> None:
    page = visit()
    open_page(page, "/heads?layer=2")
    sample = crop(page)
    bring(page, photo)
    own = crop(page)
    assert own != sample
    page.reload(wait_until="domcontentloaded")
    assert crop(page) == own
    stranger = visit()
    open_page(stranger, page.url.partition("/heads")[1] + page.url.partition("/heads")[2])
    assert crop(stranger) == sample
    assert "of this link is not here, or not yours" in stranger.get_by_test_id("stAlert").inner_text()
    assert "picture=" not in stranger.url
    cookies = {cookie["name"]: cookie for cookie in page.context.cookies()}
    assert cookies["vitviz_browser"]["httpOnly"]
    assert "vitviz_browser" not in page.evaluate("() => document.cookie")


def test_a_sample_after_ones_own_picture_takes_its_name_out_of_the_link(page: Page, photo: Any) -> None:
    open_page(page, "/heads")
    bring(page, photo)
    expect(page.locator(EXPANDED)).to_have_count(0)  # what it was opened for is done
    settled(page)
    open_sidebar(page)
    page.get_by_test_id("stSidebar").get_by_text("Samples", exact=True).click()
    page.wait_for_url(re.compile(r"^((?!picture=).)*$"))


def test_a_picture_that_the_server_refuses_says_so_where_it_can_be_read(
    browser: Any, server: Server, photo: Any
) -> None:
    with context_of(browser, server.url) as context:
        page = context.new_page()
        page.route("**/_stcore/upload_file/**", lambda route: route.fulfill(status=413, body="too much"))
        open_page(page)
        open_sidebar(page)
        page.get_by_test_id("stSidebar").get_by_text("Upload", exact=True).click()
        settled(page)
        page.locator(".st-key-upload input[type=file]").set_input_files(photo)
        chip = page.locator("[data-testid=stFileChip][aria-invalid=true]")
        words = chip.evaluate("chip => getComputedStyle(chip, '::after').content.replaceAll('\" \"', '')")
        assert "if it is small enough, try again in a minute." in words
