"""The notebook in a browser: cells are computed in sight, the layer moves them, they lead to the board and back."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.board import drawn
from tests.browser.takeaway.test_print import CUT, SHEET
from tests.browser.watch import open_page, settled

ALL, THERE, LEFT = "[data-cell]", "[data-cell=there]", "[data-cell]:not([data-cell=there])"
ATTENTION = "/notebook?chapter=attention"


def figure(page: Page, cell: str) -> str:
    """What a cell draws, as the browser draws it."""
    return page.locator(f".st-key-cell-{cell} figure svg").first.inner_html()


def test_cells_are_computed_when_they_come_into_sight(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    open_page(page, "/notebook")
    expect(page.locator(f".st-key-cell-overview-light {THERE}")).to_be_attached()
    far = page.locator(".st-key-cell-memory")
    expect(far.locator("[data-cell=wanted]")).to_be_attached()
    far.scroll_into_view_if_needed()
    expect(far.locator(THERE)).to_be_attached()
    expect(far.locator("table")).to_be_visible()
    assert page.locator(LEFT).count() > 5, "what was scrolled past is not computed"


def test_the_layer_moves_the_cells_that_use_it(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 5600})
    open_page(page, ATTENTION)
    expect(page.locator(LEFT)).to_have_count(0)
    wall, rollout = figure(page, "heads-wall"), figure(page, "depth-rollout")
    layer = page.get_by_role("slider", name="Layer")
    layer.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile("layer=2"))
    expect(page.locator(".st-key-cell-heads-wall code")).to_contain_text("layer, query = 1, 0")
    expect(page.locator(LEFT)).to_have_count(0)
    assert figure(page, "heads-wall") != wall
    assert figure(page, "depth-rollout") == rollout
    expect(layer).to_be_focused()


def test_a_cell_opens_its_moment_and_the_moment_its_cell(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    open_page(page, f"{ATTENTION}&layer=3&sample=fish")
    sentence = page.locator(".st-key-cell-heads-matrix .cell-says a")
    sentence.click()
    page.wait_for_url(re.compile("/heads\\?.*moment=matrix"))
    drawn(page)
    assert {"layer=3", "sample=fish"} <= {*page.url.partition("?")[2].split("&")}
    page.go_back()
    page.wait_for_url(re.compile("cell=heads.matrix"))
    expect(sentence).to_be_in_viewport()
    sentence.click()
    expect(page).to_have_title(re.compile("^Heads"))
    settled(page)  # the menu comes with what Python sends of the page
    page.keyboard.press("t")
    page.get_by_role("dialog").get_by_role("button", name="See in the notebook").click()
    page.wait_for_url(re.compile("/notebook\\?.*cell=heads.matrix"))
    expect(page.locator(f".st-key-cell-heads-matrix {THERE}")).to_be_attached()
    expect(sentence).to_be_in_viewport()
    assert "layer=3" in page.url


def test_cells_that_wait_are_silent_once_another_page_is_on_its_way(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    open_page(page, ATTENTION)
    sentence = page.locator(".st-key-cell-heads-matrix .cell-says a")
    sentence.evaluate("(link) => { link.click(); dispatchEvent(new Event('beforeprint')); }")  # which wants all cells
    expect(page).to_have_title(re.compile("^Heads"))
    settled(page)
    expect(page).to_have_title(re.compile("^Heads"))


def test_paper_has_all_cells_of_the_chapter_whole(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    open_page(page, ATTENTION)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator(LEFT)).to_have_count(0)
    page.emulate_media(media="print")
    page.set_viewport_size(SHEET)
    assert page.evaluate(CUT, SHEET["width"]) == []
    expect(page.get_by_role("button", name="Print")).to_be_hidden()
    assert page.locator("[class*=st-key-cell-] figure").count() == page.locator(ALL).count()


def test_print_waits_for_all_cells(page: Page) -> None:
    page.add_init_script(
        "window.print = () => { window.printed = document.querySelectorAll('[data-cell=there]').length }"
    )
    open_page(page, ATTENTION)
    page.get_by_role("button", name="Print").click()
    page.wait_for_function("window.printed")
    assert page.evaluate("window.printed") == page.locator(ALL).count()


@pytest.mark.parametrize("chapter", ["attention", "counting"])
def test_on_a_phone_nothing_scrolls_sideways(chapter: str, visit: Callable[..., Page]) -> None:
    page = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    open_page(page, f"/notebook?chapter={chapter}")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator(LEFT)).to_have_count(0)
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390
