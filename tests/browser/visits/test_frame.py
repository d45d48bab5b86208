"""The frame of the board: dots for moments, an i for the rest of a caption, names on every page, and what stays."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.board import arrived
from tests.browser.frame import drawn, open_board, open_sidebar, walk
from tests.browser.watch import answered, violations
from vitviz.config import PRESETS
from vitviz.pages import ON_BOARD


def test_a_dot_leads_to_its_moment(page: Page) -> None:
    open_board(page, "/patch_grid")
    dots = page.get_by_role("navigation", name="Moments of this page").get_by_role("button")
    expect(dots).to_have_count(5)
    dots.nth(2).click()
    expect(dots.nth(2)).to_have_attribute("aria-current", "step")
    expect(page.locator(".which")).to_have_text("3 of 5")
    page.wait_for_function("location.search.includes('moment=pixels')")


def test_nothing_lies_on_the_photo_every_sentence_has_one_line_and_a_screen_reader_is_led_to_tables(calm: Page) -> None:
    open_board(calm, "/?sample=tabby&query=40")
    for stem, scene in ON_BOARD.items():
        next(walk(calm, ["" if stem == "overview" else stem]))
        arrived(calm)
        pictures = calm.locator(".scene").get_by_role("img").all()
        assert pictures or calm.locator(".scene table:visible, .scene a").count(), stem
        for picture in pictures:
            assert picture.get_attribute("aria-label"), stem
            expect(picture).to_have_accessible_description("Details (D) hold the same as charts, tables and captions.")
        config = PRESETS["demo"]
        for number, moment in enumerate(scene.moments(config)):
            if number:
                calm.keyboard.press("PageDown")
            expect(calm.locator(".sentence")).to_have_text(re.sub("[{}]", "", scene.headline(moment, config)))
            box = calm.locator(".sentence").bounding_box()
            assert box
            assert box["height"] < 1.5 * 28 * 1.2, (stem, moment.name)
        photo, foot = calm.locator(".photo canvas").bounding_box(), calm.locator(".caveat").bounding_box()
        assert photo
        assert foot
        assert foot["y"] > photo["y"] + photo["height"]


def test_a_phone_shows_three_stages_at_least_and_no_keys(visit: Callable[..., Page]) -> None:
    page = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    open_board(page, "/heads")
    strip = page.locator(".strip ol").bounding_box()
    assert strip
    boxes = [it.bounding_box() for it in page.locator(".strip a.box").all()]
    whole = [
        it
        for it in boxes
        if it and it["x"] >= strip["x"] - 1 and it["x"] + it["width"] <= strip["x"] + strip["width"] + 1
    ]
    assert len(whole) >= 3
    expect(page.locator(".count kbd").locator("visible=true")).to_have_count(0)
    expect(page.locator(".drawers .keys")).to_be_hidden()


def test_the_rest_of_a_caption_is_pointed_at_focused_and_tapped(page: Page) -> None:
    open_board(page, "/heads?sample=tabby")
    more, said = page.locator(".caveat .info button"), page.locator(".caveat [role=tooltip]")
    expect(page.locator(".caveat")).to_contain_text("unlike its training")
    expect(said).to_be_hidden()
    more.hover()
    expect(said).to_contain_text("Softmax still has to name one.")
    page.locator(".sentence").hover()
    expect(said).to_be_hidden()
    more.focus()
    expect(said).to_be_visible()
    assert violations(page) == []


def test_picture_and_model_are_named_on_every_page_and_open_the_sidebar(page: Page) -> None:
    open_board(page, "/heads?sample=left")
    expect(page.locator(".choose .words")).to_have_text(re.compile(r"^Red ball left of blue ball \S.* demo$"))
    page.locator(".choose").click()
    page.locator("[data-testid=stSidebar][data-collapsed=false]").wait_for()


def test_one_block_is_one_block(page: Page) -> None:
    open_board(
        page, "/heads?model=build-your-own&image_size=32&patch_size=8&dim=24&depth=1&heads=1&mlp_dim=16&classes=3"
    )
    expect(page.locator('.strip a[data-stem="depth"]')).to_contain_text("1 block")
    expect(page.locator('.strip a[data-stem="depth"]')).not_to_contain_text("1 blocks")


def test_a_picture_that_is_gone_is_said_on_the_page(page: Page) -> None:
    open_board(page, f"/?picture={'a' * 64}")
    said = page.get_by_test_id("stMain").get_by_role("alert")
    expect(said).to_contain_text("The picture aaaaaaaa of this link is not here, or not yours")
    expect(said).to_contain_text("You still see Cat.")
    page.locator(".pictures button").nth(2).click()
    expect(said).to_have_count(0)


def test_what_stands_below_the_pictures_stays_where_it_is(page: Page) -> None:
    open_board(page, "/patch_grid")
    open_sidebar(page)
    sidebar = page.get_by_test_id("stSidebar")
    model = sidebar.get_by_role("heading", name="Model", exact=True)
    before = model.bounding_box()
    assert before
    for source in ("Upload", "Camera"):
        with answered(page):
            sidebar.get_by_role("radio", name=source).click()
        after = model.bounding_box()
        assert after
        assert after["y"] == pytest.approx(before["y"], abs=1)


def test_the_button_of_a_figure_comes_with_the_hand(page: Page) -> None:
    open_board(page, "/patch_grid?open=details")
    figure = page.get_by_test_id("stPlotlyChart").first
    figure.locator(".main-svg").first.wait_for()
    button = page.get_by_role("button", name="Take away: The picture as given")
    page.mouse.move(3, 3)
    expect(button).to_have_css("opacity", "0")
    figure.hover()
    expect(button).to_have_css("opacity", "1")


def test_a_figure_zooms_and_a_double_click_goes_back(page: Page) -> None:
    open_board(page, "/patch_grid?open=details")
    figure = page.get_by_test_id("stPlotlyChart").first
    drag = figure.locator(".nsewdrag").first
    drag.wait_for()
    names = [it.get_attribute("aria-label") for it in figure.locator(".modebar-btn").all()]
    assert names == ["Zoom", "Pan", "Zoom in", "Zoom out", "Reset axes", "Fullscreen"]
    cells = """plot => { const { xaxis, yaxis } = plot.querySelector(".js-plotly-plot")._fullLayout;
        return [xaxis, yaxis].map(it => it._length / Math.abs(it.range[1] - it.range[0])); }"""
    whole = figure.evaluate(cells)
    drag.scroll_into_view_if_needed()
    box = drag.bounding_box()
    assert box
    at = [(box["x"] + share * box["width"], box["y"] + share * box["height"]) for share in (0.3, 0.5)]
    page.mouse.move(*at[0])
    page.mouse.down()
    page.mouse.move(*at[1], steps=5)
    page.mouse.up()
    page.wait_for_function(f"([it, was]) => ({cells})(it)[0] > 2 * was", arg=[figure.element_handle(), whole[0]])
    across, down = figure.evaluate(cells)
    assert across == pytest.approx(down), "cells stay square"
    drag.dblclick()
    page.wait_for_function(
        f"([it, was]) => Math.abs(({cells})(it)[0] - was) < 1e-6", arg=[figure.element_handle(), whole[0]]
    )
    finger = """one => { const at = { identifier: 1, target: one, clientX: 9, clientY: 9 };
        const [touches, how] = [[new Touch(at)], { bubbles: true, cancelable: true }];
        const touch = { touches, changedTouches: touches, ...how };
        const kept = !one.dispatchEvent(new TouchEvent("touchstart", touch));
        document.dispatchEvent(new TouchEvent("touchend", touch));
        return kept; }"""
    assert not drag.evaluate(finger), "a finger scrolls the page"
    figure.get_by_role("button", name="Pan").click()
    assert drag.evaluate(finger)
    for button in figure.locator(".modebar-btn").all():
        size = button.bounding_box()
        assert size
        assert min(size["width"], size["height"]) >= 24


def test_a_click_on_the_board_leaves_no_frame_round_the_page_and_that_of_tab_lies_round_the_window(page: Page) -> None:
    open_board(page, "/heads?sample=left")
    main = page.get_by_test_id("stMain")
    page.locator(".scene canvas:visible").first.click(position={"x": 2, "y": 2})
    page.keyboard.press("l")
    drawn(page)
    assert not main.evaluate("(main) => main.matches(':focus')")
    main.focus()
    page.keyboard.press("l")
    frame = main.evaluate(
        "(main) => { const { top, height } = getComputedStyle(main, '::before'); return [top, height]; }"
    )
    assert frame == ["0px", f"{page.evaluate('innerHeight')}px"]


def test_the_help_lists_every_key(page: Page) -> None:
    open_board(page, "/heads")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    keys = page.get_by_role("dialog").locator("kbd").all_inner_texts()
    assert {"PgDn PgUp", "← → ↑ ↓", "L", "H", "Space", "Esc", "F", "X", "D", "S", "?"} <= set(keys)
    assert drawn(page)["page"] == "heads"
