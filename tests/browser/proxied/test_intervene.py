"""Intervene behind nginx: our policy lets the browser run the model, under a stricter one the server does."""

import pytest
from playwright.sync_api import Browser

from tests.browser.board import show
from tests.browser.conftest import watched
from tests.browser.forward.test_policy import behind
from tests.browser.intervene.hand import HERE, agrees, drag
from tests.browser.server import Server
from tests.browser.watch import context_of
from tests.server.several import needs_nginx, proxied

pytestmark = needs_nginx


@pytest.mark.parametrize(("without", "where"), [("", HERE), ("'wasm-unsafe-eval'", "the server runs the model")])
def test_a_hand_drags_behind_nginx(browser: Browser, server: Server, without: str, where: str) -> None:
    with (
        proxied(behind(server), without=without) as url,
        context_of(browser, url, viewport={"width": 1280, "height": 720}) as context,
        watched(context, url) as page,
    ):
        show(page, "/intervene?sample=left")
        page.locator(".intervene .where", has_text=where).wait_for()
        drag(page, "attention of layer 2", -30)
        agrees(page, "a2*0.5")
