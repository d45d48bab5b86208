"""The menus of pictures beside the board: a chart's and a figure's files are opened, and the page stands still."""

from io import BytesIO
from typing import Any
from xml.etree import ElementTree

import numpy as np
from playwright.sync_api import Page, expect

from tests.browser.frame import open_board
from tests.browser.takeaway.told import saved
from tests.browser.watch import open_page
from vitviz.measures.tokens import embedded
from vitviz.trace import Trace

SVG = "{http://www.w3.org/2000/svg}"


def test_a_chart_is_saved_and_nothing_moves(page: Page) -> None:
    open_page(page, "/growth")
    chart = page.locator("figure svg").first
    chart.wait_for()
    before = chart.bounding_box()
    page.get_by_role("button", name="Take away: Multiply-accumulates by tokens").click()
    menu = page.get_by_role("dialog")
    svg = saved(menu, "SVG", "growth-Multiply-accumulates_by_tokens.svg")
    texts = [element.text for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]
    assert {"tokens", "MAC", "all"} <= set(texts)
    npz = saved(menu, "Data (.npz)", "growth-Multiply-accumulates_by_tokens.npz")
    curve = np.load(BytesIO(npz))["all"]
    assert (curve[:, 1] > 0).all()
    assert chart.bounding_box() == before
    page.keyboard.press("Escape")
    expect(menu).to_have_count(0)


def test_who_is_faster_than_the_page_gets_the_menu_when_its_picture_comes(page: Page) -> None:
    open_board(page, "/")
    page.locator(".strip summary").click()
    page.locator('.strip a[data-stem="arithmetic"]').click()
    page.keyboard.press("t")
    expect(page.get_by_role("dialog", name="Take away: ")).to_be_visible()


def test_a_figure_s_numbers_are_those_of_the_trace(page: Page, trace: Trace) -> None:
    open_board(page, "/patch_grid?open=details")
    page.get_by_role("button", name="Take away: Patch 66, flattened").click()
    npz = saved(page.get_by_role("dialog"), "Data (.npz)", "patch_grid-Patch_66_flattened.npz")
    expected = embedded(trace, "patches")[65].reshape(3, -1)
    file = np.load(BytesIO(npz))
    given = [file[name] for name in file.files if f"{name}.axes" in file.files]
    np.testing.assert_array_equal(np.concatenate(given).ravel(), expected.ravel())


def test_a_finger_finds_the_menu(visit: Any) -> None:
    """Where nothing can be pointed at, the button is always seen, and lies over no word of the page."""
    page = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    open_page(page, "/growth")
    button = page.get_by_role("button", name="Take away: Multiply-accumulates by tokens")
    button.scroll_into_view_if_needed()
    expect(button).to_have_css("opacity", "0.87")
    box, chart = button.bounding_box(), page.locator("figure svg").first.bounding_box()
    assert box
    assert chart
    assert box["y"] + box["height"] <= chart["y"] + 1
    button.tap()
    expect(page.get_by_role("dialog")).to_be_visible()
