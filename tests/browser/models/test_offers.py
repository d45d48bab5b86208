"""The offers that stand where the need is are pressed: for classes, for a model that knows, for one's own classes."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.frame import open_board, rest, walk
from tests.browser.models.conftest import NAME, OFFER
from tests.browser.server import Server
from tests.browser.watch import answered
from tests.unit.weights.hub.service import Service, Trouble

LAPTOP = {"width": 1280, "height": 720}
HERE = "Show it with ViT-Tiny/16, which knows 1,000 classes"


def shows(page: Page, tokens: str, model: str) -> None:
    """Wait until the board has the model, by what stands in its strip and in the address."""
    expect(page.locator(".strip a.box").nth(1)).to_contain_text(tokens)
    rest(page)
    assert f"model={model}" in page.url
    assert "sample=coffee" in page.url


def test_what_the_hub_refuses_is_said_where_the_offer_was_pressed_and_can_be_closed(
    visit: Callable[..., Page], asking: Server, mirror: Service
) -> None:
    mirror.trouble = Trouble(refusal=(404, "EntryNotFound"))
    page = visit(asking.url, viewport=LAPTOP)
    open_board(page, "/class_head?model=photo&sample=coffee")
    page.locator(".scene .names").get_by_role("button", name=OFFER.format("23 MB")).click()
    notice = page.locator(".st-key-notices").get_by_role("alert")
    expect(notice).to_contain_text("You still see DINOv2-S/14 in 8 bits.")
    page.get_by_role("button", name="Stay with DINOv2-S/14 in 8 bits").press("Enter")
    expect(notice).to_have_count(0)
    shows(page, "256", "photo")
    mirror.trouble = Trouble()


def test_a_photograph_without_classes_gets_a_model_that_has_some_from_the_front_page_and_from_the_class_head(
    visit: Callable[..., Page], asking: Server, mirror: Service
) -> None:
    page = visit(asking.url, viewport=LAPTOP)
    open_board(page, "/?model=photo&sample=coffee")
    offer = page.locator(".start .match").get_by_role("button", name=OFFER.format("23 MB"))
    expect(offer).to_be_visible()
    with answered(page):
        offer.click()
    shows(page, "196", NAME)
    assert mirror.gets
    open_board(page, "/class_head?model=photo&sample=coffee")
    here = page.locator(".scene .names").get_by_role("button", name=HERE)
    with answered(page):
        here.press("Enter")
    shows(page, "196", NAME)
    expect(page.locator(".scene .names")).to_be_hidden()


def test_the_door_beside_a_photograph_and_the_way_to_classes_of_ones_own_lead_there(
    visit: Callable[..., Page], asking: Server
) -> None:
    page = visit(asking.url, viewport=LAPTOP)
    open_board(page, "/heads?model=demo&sample=coffee")
    door = page.locator(".caveat").get_by_role("button", name="unlike its training ›")
    with answered(page):
        door.press("Enter")
    shows(page, "256", "photo")
    for _ in walk(page, ["class_head"]):
        page.locator(".scene .names").get_by_role("link", name="Five shots ›").click()
    expect(page.get_by_role("heading", name="Five shots")).to_be_visible()
    assert re.search(r"/five_shots\b.*sample=coffee", page.url)
    assert "model=photo" in page.url
