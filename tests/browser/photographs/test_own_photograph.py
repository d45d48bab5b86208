"""A photograph that somebody drops meets the model that learned from photographs, and one key leads to the other."""

import base64
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.frame import drawn, open_board, rest, walk
from tests.browser.watch import pictured
from vitviz.images import PHOTOS
from vitviz.samples import samples

LAPTOP = {"viewport": {"width": 1280, "height": 720}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
WHY = ".start .match"
DROP = """(text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const carried = new DataTransfer();
    carried.items.add(new File([bytes], "mine.jpg", { type: "image/jpeg" }));
    return carried;
}"""
COFFEE, ASTRONAUT = (list(samples()).index(id) for id in ("coffee", "astronaut"))


def model_is(page: Page, name: str) -> None:
    """Wait until the address and the board have this model; the demo model stands in no address."""
    page.wait_for_function("(name) => (new URLSearchParams(location.search).get('model') ?? 'demo') === name", arg=name)
    rest(page)


def drop(page: Page, data: bytes) -> None:
    """Drop a file anywhere on the board."""
    carried = page.evaluate_handle(DROP, base64.b64encode(data).decode())
    page.locator(".scene").dispatch_event("drop", {"dataTransfer": carried, "bubbles": True, "composed": True})


def test_a_dropped_photograph_shows_heads_and_depth_of_the_model_of_photographs(page: Page) -> None:
    open_board(page)
    scene = drawn(page)["digest"]
    drop(page, PHOTOS[0].read())
    expect(page.locator(WHY)).to_contain_text("Taken for a photograph (0.9 % of it is flat colour")
    model_is(page, "photo")
    assert drawn(page)["digest"] != scene
    for _ in walk(page, ["heads"]):
        expect(page.locator(".scene .wall")).to_have_attribute("aria-label", re.compile("in 12 layers"))
        expect(page.locator(".caveat [role=tooltip]")).to_contain_text("shown with the model that learned from")
    for _ in walk(page, ["depth"]):
        expect(page.locator('.strip a[data-stem="depth"]')).to_contain_text("12 blocks")
    page.keyboard.press("u")
    model_is(page, "demo")
    expect(page.locator(".caveat button").first).to_have_text("unlike its training ›")
    for _ in walk(page, [""]):
        page.locator(".pictures button").nth(ASTRONAUT).click()
        page.wait_for_url(re.compile("sample=astronaut"))
        model_is(page, "demo")  # whoever has chosen it keeps it
    page.locator(".caveat button").first.click()
    model_is(page, "photo")


@pytest.mark.parametrize("screen", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_that_a_picture_comes_is_said_at_once_and_neither_that_nor_a_refusal_moves_the_board(
    visit: Callable[..., Page], screen: dict[str, Any]
) -> None:
    page = visit(**screen)
    open_board(page)
    coming, photo, scene = page.locator(".coming"), page.locator(".photo canvas"), drawn(page)["digest"]
    place = photo.bounding_box()
    page.evaluate("() => { __traffic.late = 300; }")
    drop(page, b"no picture")
    expect(coming).to_have_text("Your picture is on its way.")
    assert page.evaluate("() => __traffic.received < __traffic.asked"), "the server has answered nothing"
    refused = page.get_by_test_id("stMain").get_by_role("alert")
    expect(refused).to_contain_text("The picture that you brought cannot be used: This file (10 B) is not an image")
    expect(refused).to_be_in_viewport(ratio=1)
    expect(coming).to_be_hidden()
    rest(page)
    assert (drawn(page)["digest"], photo.bounding_box()) == (scene, place)
    drop(page, PHOTOS[0].read())
    expect(coming).to_be_visible()
    expect(coming).to_be_hidden()
    assert drawn(page)["digest"] != scene
    pictured(page)
    expect(refused).to_have_count(0)
    assert photo.bounding_box() == place


def test_on_a_phone_it_is_said_under_the_picture_and_undone_by_a_tap(visit: Callable[..., Page]) -> None:
    page = visit(**PHONE)
    open_board(page)
    page.locator(".start input[type=file]").set_input_files(
        {"name": "mine.jpg", "mimeType": "image/jpeg", "buffer": PHOTOS[1].read()}
    )
    model_is(page, "photo")
    expect(page.locator(WHY)).to_contain_text("shown with the model that learned from photographs")
    page.locator(WHY).get_by_role("button", name="Show it with the demo model").tap()
    model_is(page, "demo")
    expect(page.locator(WHY)).to_contain_text("shown with the demo model that learned from drawn scenes")


def test_a_sample_photograph_leads_to_that_model_and_a_scene_back(page: Page) -> None:
    open_board(page)
    page.locator(".pictures button").nth(COFFEE).click()
    model_is(page, "photo")
    page.reload()
    model_is(page, "photo")
    expect(page.locator(".pictures button").nth(COFFEE)).to_have_attribute("aria-pressed", "true")
    open_board(page)
    page.locator(".pictures button").nth(COFFEE).click()
    model_is(page, "photo")
    page.locator(".pictures button").nth(0).click()
    model_is(page, "demo")
    expect(page.locator(WHY)).to_be_hidden()
