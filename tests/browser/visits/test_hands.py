"""Hands on the board: keys, taps, drawers, a dropped photo; and what a screen reader hears of it."""

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.board import still
from tests.browser.frame import (
    drawn,
    open_board,
    open_sidebar,
    readout,
    rest,
    turn,
    walk,
)
from tests.browser.watch import answered, violations
from vitviz.pages import ON_BOARD

VIEW = "layer=3&head=2&query=40&key=17"
CHOSEN = "query patch 40 · layer 3 · head 2"


def test_what_is_typed_is_no_key(page: Page) -> None:
    open_board(page, "/heads?model=build-your-own")
    open_sidebar(page)
    before = page.url
    page.get_by_role("combobox", name="Model").click()
    page.keyboard.type("lhfdxs ")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    page.get_by_role("spinbutton", name="Seed").click()
    page.keyboard.type("lhd")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("PageDown")
    shown = drawn(page)
    assert (shown["page"], shown["moment"]) == ("heads", "wall")
    assert "layer 1 · head 1" in readout(page)
    assert page.locator(".help").is_hidden()
    assert [name for name in ("layer", "head", "open", "moment") if f"{name}=" in page.url] == []
    assert before.partition("?")[0] == page.url.partition("?")[0]


def test_a_tap_chooses_and_a_swipe_scrolls(visit: Any) -> None:
    page = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    open_board(page, "/heads")
    box = page.locator(".photo canvas").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] * 0.3, box["y"] + box["height"] * 0.3)
    rest(page)
    assert "query=40" in page.url
    main = page.get_by_test_id("stMain")
    touch = page.context.new_cdp_session(page)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.9
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 16):
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y - 10 * step}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_function("(main) => main.scrollTop > 100", arg=main.element_handle())
    rest(page)
    assert "query=40" in page.url


def test_a_drawer_opens_and_closes_by_key_button_and_escape(page: Page) -> None:
    open_board(page, "/patch_grid")
    drawer = page.locator(".st-key-drawer")
    for key, name in (("f", "formula"), ("x", "code"), ("d", "details")):
        button = page.locator(".drawers button", has_text=name)
        for by_button, close_by in ((False, key), (False, "Escape"), (True, "Escape")):
            with answered(page):
                button.click() if by_button else page.keyboard.press(key)
            expect(drawer).to_be_visible()
            assert f"open={name}" in page.url
            expect(button).to_have_attribute("aria-pressed", "true")
            with answered(page):
                page.keyboard.press(close_by)
            expect(drawer).to_have_count(0)
            assert "open=" not in page.url


def test_nothing_is_sent_while_the_hand_moves(page: Any) -> None:
    open_board(page, "/?query=40")
    for place in walk(page, ["" if stem == "overview" else stem for stem in ON_BOARD]):
        sent = "() => window.__traffic.messages"
        before, frames = page.evaluate(sent), drawn(page)["count"]
        for selector in (".photo canvas", ".scene"):
            box = page.locator(selector).bounding_box()
            for step in range(30):
                share = step / 29
                page.mouse.move(box["x"] + box["width"] * share, box["y"] + box["height"] * (0.2 + 0.6 * share))
        assert drawn(page)["count"] > frames, place
        assert page.evaluate(sent) == before, place


def test_who_asks_for_less_motion_gets_none(visit: Any) -> None:
    page = visit(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    open_board(page, "/patch_grid")
    rest(page)
    page.keyboard.press("PageDown")
    drawn(page)
    at = drawn(page)["count"]
    still(page)
    assert drawn(page)["count"] - at <= 2


def test_the_keys_are_shown_and_put_away(page: Page) -> None:
    open_board(page, "/heads")
    button = page.locator(".drawers button", has_text="keys")
    button.click()
    help = page.get_by_role("dialog")
    expect(help).to_contain_text("next and previous moment, then page")
    assert violations(page) == []
    page.keyboard.press("l")
    drawn(page)
    assert "layer 1" in readout(page)
    page.keyboard.press("Escape")
    expect(help).to_be_hidden()
    expect(button).to_be_focused()
    page.keyboard.press("?")
    expect(help).to_be_visible()
    page.keyboard.press("?")
    expect(help).to_be_hidden()


def test_what_a_screen_reader_hears(page: Page) -> None:
    open_board(page, "/heads?query=40")
    strip = page.get_by_role("navigation", name="Stages of the model")
    expect(strip.get_by_role("link")).to_have_count(len(ON_BOARD))
    expect(strip.locator("[aria-current=page]")).to_have_text(re.compile("Heads"))
    headline = page.get_by_role("heading", level=1)
    expect(headline).to_have_attribute("aria-live", "polite")
    expect(page.get_by_role("img", name="patch 40 is chosen")).to_be_visible()
    turn(page)
    expect(headline).to_contain_text("2 of ")


def test_a_photo_that_is_dropped_on_the_board_is_shown(page: Page) -> None:
    open_board(page, f"/heads?{VIEW}")
    before = drawn(page)["digest"]
    carried = page.evaluate_handle(
        """async () => {
            const canvas = new OffscreenCanvas(300, 200);
            canvas.getContext("2d").fillRect(0, 0, 150, 200);
            const carried = new DataTransfer();
            carried.items.add(new File([await canvas.convertToBlob()], "half.png", { type: "image/png" }));
            return carried;
        }"""
    )
    page.locator(".scene").dispatch_event("drop", {"dataTransfer": carried, "bubbles": True, "composed": True})
    page.wait_for_url(re.compile("picture=[0-9a-f]{64}"))
    rest(page)
    assert drawn(page)["digest"] != before
    assert CHOSEN in readout(page)
