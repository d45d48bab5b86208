"""The brush on the photo: strokes, swaps and shuffles, and that the answer is Python's for the same patches."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.board import GRID, brightness, drawn, photo, point
from tests.browser.frame import rest
from tests.browser.intervene.hand import agrees, intervene
from tests.browser.watch import violations

PAINTING = "/intervene?sample=left&moment=2"


@pytest.fixture
def page(stays: Page) -> Page:
    """That of a visitor who stays: what is told here hangs on the address alone."""
    return stays


def stroke(page: Page, first: int, last: int) -> None:
    """Drag over the photo from one patch to another, both counted from 1, in one quick move."""
    point(page, first)
    page.mouse.down()
    box = photo(page).bounding_box()
    assert box
    row, column = divmod(last - 1, GRID)
    page.mouse.move(box["x"] + (column + 0.5) / GRID * box["width"], box["y"] + (row + 0.5) / GRID * box["height"])
    page.mouse.up()
    drawn(page)


def tool(page: Page, name: str) -> None:
    page.get_by_role("group", name="Brush").get_by_role("button", name=name).click()


def test_a_stroke_hides_every_patch_on_its_way_and_one_undo_brings_all_back(page: Page) -> None:
    intervene(page, PAINTING)
    before = brightness(page)
    stroke(page, 73, 78)
    agrees(page, "p73-78")
    after = brightness(page)
    assert (after[72:78] < 0.5 * before[72:78]).all()
    stroke(page, 76, 84)
    agrees(page, "p73-75")  # it began on a hidden patch, so it takes away
    page.keyboard.press("z")
    agrees(page, "p73-78")
    page.keyboard.press("z")
    agrees(page, "")


def test_each_way_to_hide_is_pythons(page: Page) -> None:
    intervene(page, PAINTING)
    for name, word in (("remove", "=removed"), ("grey", "=grey"), ("blur", "=blur")):
        tool(page, name)
        stroke(page, 87, 88)
        agrees(page, f"p87-88{word}")
        page.get_by_role("button", name="clean the photo").click()
        agrees(page, "")


def test_pixels_come_from_the_second_picture(page: Page) -> None:
    intervene(page, PAINTING)
    tool(page, "paste")
    stroke(page, 87, 88)
    agrees(page, "p87-88=paste", donor="right")
    assert "donor=right" in page.url


def test_two_patches_change_places_and_all_are_shuffled(page: Page) -> None:
    intervene(page, PAINTING)
    tool(page, "swap")
    stroke(page, 87, 20)
    agrees(page, "i20=87")
    page.get_by_role("button", name="shuffle all").click()
    agrees(page, "i=shuffled@1 i20=87")
    page.get_by_role("button", name="clean the photo").click()
    agrees(page, "")


def test_the_keyboard_paints_the_chosen_patch(visit: Callable[..., Page]) -> None:
    page = visit(viewport={"width": 1280, "height": 720})
    intervene(page, f"{PAINTING}&query=40")
    page.keyboard.press("i")
    agrees(page, "p40")
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="hide patch 41").focus()
    page.keyboard.press("Enter")
    agrees(page, "p40-41")
    page.get_by_role("button", name="all other patches").click()
    agrees(page, "p1-39 p42-144")


def test_nothing_hinders_a_screen_reader(page: Page) -> None:
    intervene(page, "/intervene?sample=left&edits=h3.1*0+p40")
    for moment in range(1, 7):
        expect(page.locator(".which")).to_have_text(f"{moment} of 6")
        rest(page)
        assert violations(page) == [], moment
        page.keyboard.press("PageDown")
