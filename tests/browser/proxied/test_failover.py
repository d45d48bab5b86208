"""Two servers behind nginx: when a visitor's own dies, she goes on at the other one, with her picture and her place."""

import re
import sys
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.frame import open_sidebar
from tests.browser.visits.test_class import bring, crop
from tests.browser.visits.test_class import photo as photo  # a fixture
from tests.browser.watch import context_of, open_page
from tests.server.several import Several, await_answer, needs_nginx, proxied

pytestmark = [needs_nginx, pytest.mark.skipif(sys.platform != "linux", reason="the deployment is for Linux")]


def server_of(page: Page) -> str:
    """The port that the browser's cookie names."""
    (cookie,) = [it for it in page.context.cookies() if it["name"] == "vitviz_server"]
    assert cookie["httpOnly"]
    assert cookie["secure"]
    return str(cookie["value"])


def server_after(page: Page, first: str) -> str:
    """The port of the server that goes on; the first lines that the page tries may lead to the one that is gone."""
    for _ in range(600):
        if (now := server_of(page)) != first:
            return now
        page.wait_for_timeout(100)
    raise AssertionError(f"after a minute the page still asks for the server at {first}")


def test_who_loses_her_server_goes_on_at_the_other_with_her_picture(
    browser: Browser, servers: Several, photo: Any
) -> None:
    with proxied(servers) as url, context_of(browser, url) as context:
        page = context.new_page()
        open_page(page, "/heads?layer=2")
        first = server_of(page)
        sample = crop(page)
        bring(page, photo)
        own = crop(page)
        assert own != sample
        before = page.evaluate("() => __traffic.begun")
        servers.kill(first)
        with page.expect_websocket():  # the page comes back by itself
            pass
        second = server_after(page, first)
        await_answer(int(first))
        page.keyboard.press("d")  # the details come from the new session
        page.wait_for_function("before => __traffic.begun > before", arg=before)
        assert crop(page) == own
        assert "layer=2" in page.url
        page.reload(wait_until="domcontentloaded")
        assert crop(page) == own
        assert server_of(page) == second
        other = photo.with_name("other.png")
        other.write_bytes(photo.read_bytes() + b"another file")
        link = re.search("picture=[0-9a-f]{64}", page.url)
        assert link
        open_sidebar(page)
        page.locator(".st-key-upload input[type=file]").set_input_files(other)
        page.wait_for_url(lambda now: "picture=" in now and link[0] not in now)
