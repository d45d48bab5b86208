"""A visitor fetches a published model from the page, goes on meanwhile, stops, and fetches the rest."""

import re
from collections.abc import Callable
from threading import Event

from playwright.sync_api import Page, expect

from tests.browser.frame import drawn, open_board
from tests.browser.models.conftest import NAME, OFFER
from tests.browser.server import Server
from tests.browser.watch import answered, screenshot
from tests.unit.weights.hub.service import PIECE, Service, Trouble


def test_a_model_is_fetched_while_the_picture_stays(
    visit: Callable[..., Page], asking: Server, mirror: Service
) -> None:
    mirror.trouble = Trouble(gate=Event())
    page = visit(asking.url, viewport={"width": 1280, "height": 720})
    open_board(page, f"/heads?model={NAME}")
    before = drawn(page)["digest"]
    expect(page.get_by_text("ViT-Tiny/16 is not here yet. You still see demo.")).to_be_visible()
    screenshot(page, "fetching-offer")
    with answered(page):
        page.get_by_role("button", name=OFFER.format("23 MB")).last.click()
    bar = page.get_by_test_id("stProgress")
    expect(bar).to_contain_text("of 22.9 MB")
    expect(bar).to_contain_text("You still see demo.")
    screenshot(page, "fetching-under-way")
    page.locator(".shapes").click()
    page.keyboard.press("l")
    expect(page.locator(".layer, .readout").first).to_be_visible()
    assert drawn(page)["digest"] == before
    page.get_by_role("button", name="Cancel").click()
    assert mirror.trouble.gate
    mirror.trouble.gate.set()
    expect(page.get_by_role("button", name=OFFER.format("the rest of 23 MB")).last).to_be_visible()
    screenshot(page, "fetching-the-rest")
    page.get_by_role("button", name=OFFER.format("the rest of 23 MB")).last.click()
    expect(page.locator(".strip a.box").nth(1)).to_contain_text("196")
    expect(bar).to_have_count(0)
    assert mirror.gets[0] == 0
    assert mirror.gets[1] >= PIECE
    screenshot(page, "fetching-done")


def test_what_the_hub_refuses_is_a_sentence_on_the_page(
    visit: Callable[..., Page], asking: Server, mirror: Service
) -> None:
    mirror.trouble = Trouble(refusal=(401, ""))
    page = visit(asking.url, viewport={"width": 1280, "height": 720})
    open_board(page, "/heads?model=dinov2_small")
    page.get_by_role("button", name="DINOv2-S/14 learned from photographs: fetch it, 88 MB").last.click()
    alert = page.get_by_role("alert").filter(has_text="asks who this server is")
    expect(alert).to_contain_text("may read it, or choose another model. You still see demo.")
    screenshot(page, "fetching-refused")
    page.get_by_role("button", name="Stay with demo").click()
    expect(alert).to_have_count(0)
    expect(page).not_to_have_url(re.compile("dinov2"))
