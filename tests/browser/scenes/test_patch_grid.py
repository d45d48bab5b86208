"""The scene Patch grid: pixels, other patch sizes and the crop by mouse, keys and touch; numbers are Python's."""

from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.board import drawn, photo, rgba
from tests.browser.scenes.left import GRID, PATCH_SIZE, asked, open_board, readout
from tests.browser.watch import open_page, settled
from vitviz.config import PRESETS
from vitviz.counts import total_macs, total_parameters
from vitviz.images import Crop, open_image
from vitviz.measures import tokens
from vitviz.numbers import exact, short, small
from vitviz.samples import samples
from vitviz.trace import Trace, record
from vitviz.weights import load

LAPTOP = {"width": 1280, "height": 720}


@pytest.fixture
def page(stays: Page) -> Page:
    """That of a visitor who stays: what is told here hangs on the address alone."""
    return stays


@pytest.fixture(scope="module")
def trace() -> Trace:
    """The demo model's pass over the picture of a red ball left of a blue one."""
    loaded = load("demo")
    return record(loaded.model, loaded.preprocess(open_image(samples()["left"].data)))


def test_a_patch_of_the_grid_and_of_the_sequence_can_be_pointed_at(page: Page) -> None:
    open_board(page, "patch_grid")
    scene = page.locator(".scene canvas:visible")
    box = scene.bounding_box()
    assert box
    cell = min(box["width"], box["height"]) / GRID
    left = (box["width"] - cell * GRID) / 2
    scene.hover(position={"x": left + 2.5 * cell, "y": 1.5 * cell})
    readout(page, "patch 15: row 2, column 3")
    page.keyboard.press("PageDown")
    scene.hover(position={"x": 12, "y": 12})
    readout(page, "patch 1: row 1, column 1")


def test_a_pixel_says_its_three_numbers_before_and_after_normalising(page: Page, trace: Trace) -> None:
    open_board(page, "patch_grid", moment=3, query=30)
    note = page.locator(".note")
    expect(note).to_have_text("8 · 8 · 3 = 192 numbers, normalised. Point at a pixel, or press N.")
    under, scene = note.bounding_box(), page.locator(".scene").bounding_box()
    assert under
    assert scene
    side = under["y"] - scene["y"] - 16
    row, column = 4, 6
    page.locator(".scene canvas:visible").hover(
        position={"x": (column + 0.5) * side / PATCH_SIZE, "y": (row + 0.5) * side / PATCH_SIZE}
    )
    patch = tokens.embedded(trace, "patches")[29].reshape(3, PATCH_SIZE, PATCH_SIZE)
    preprocess = load("demo").preprocess
    crop = np.asarray(preprocess.crop(open_image(samples()["left"].data)))
    y, x = 29 // GRID * PATCH_SIZE + row, 29 % GRID * PATCH_SIZE + column
    colours = [
        f"{name} {crop[y, x, channel]} → {small(patch[channel, row, column])}"
        for channel, name in enumerate(("red", "green", "blue"))
    ]
    expect(note).to_have_text(f"Row {row + 1}, column {column + 1}: {' · '.join(colours)}")


def test_a_clicked_pixel_stays_and_a_key_takes_the_next(visit: Callable[..., Page]) -> None:
    page = visit(viewport=LAPTOP)
    open_board(page, "patch_grid", moment=3, query=30)
    note = page.locator(".note")
    page.locator(".scene canvas:visible").click(position={"x": 3, "y": 3})
    expect(note).to_contain_text("Row 1, column 1:")
    page.locator(".sentence").hover()
    expect(note).to_contain_text("Row 1, column 1:")
    page.keyboard.press("n")
    expect(note).to_contain_text("Row 1, column 2:")
    page.keyboard.press("N")
    page.keyboard.press("N")
    expect(note).to_contain_text("Row 8, column 8:")


def test_other_patch_sizes_are_tried_by_hovering_and_kept_by_a_click(page: Page) -> None:
    open_board(page, "patch_grid", moment=4)
    rows, said = page.locator(".sizes tbody tr"), page.locator(".tried p")
    for row, size in enumerate((32, 16, 8, 4)):
        config = PRESETS["demo"].with_(patch_size=size)
        weights = exact(config.tokens**2)
        numbers = [exact(config.tokens), weights, exact(total_parameters(config)), short(total_macs(config))]
        expect(rows.nth(row).locator("td")).to_have_text(numbers)
        rows.nth(row).hover()
        expect(said).to_contain_text(f"= {exact(config.patches)} patches of {size} × {size} pixels")
        expect(said).to_contain_text(f"{weights} attention weights")
        expect(page.locator(".count .shapes")).to_have_text(
            f"1 × 3 × 96 × 96 → 1 × {config.patches} × {3 * size * size:,}"
        )
        expect(page.locator(".count .total")).to_have_text(exact(total_parameters(config)))
    messages = page.evaluate("window.__traffic.messages")
    rows.nth(0).click()
    page.wait_for_function("location.search.includes('tried=32')")
    page.locator(".sentence").hover()
    expect(said).to_contain_text("3 × 3 = 9 patches")
    expect(page.locator(".count .shapes")).to_have_text("1 × 3 × 96 × 96 → 1 × 9 × 3,072")
    rows.nth(2).locator("button").click()
    page.wait_for_function("!location.search.includes('tried')")
    assert page.evaluate("window.__traffic.messages") == messages  # Python was not asked
    page.keyboard.press("PageUp")
    expect(page.locator(".count .total")).to_have_text(exact(total_parameters(PRESETS["demo"])))


def test_sizes_have_their_costs_when_keys_lead_to_them_and_space_goes_through_them(page: Page) -> None:
    open_page(page, "/")
    for _ in range(5):
        page.keyboard.press("PageDown")
    page.wait_for_function("location.search.includes('moment=sizes')")
    rows = page.locator(".sizes tbody tr")
    expect(rows.last.locator("td")).to_have_count(4)
    expect(rows).to_have_count(4)
    page.keyboard.press(" ")
    page.wait_for_function("location.search.includes('tried=4')")
    expect(page.locator(".tried p")).to_contain_text("patches of 4 × 4 pixels")


def answer_of(sample: str, crop: Crop | None) -> tuple[str, str]:
    """What the demo model says of a square of a picture, and how sure it is."""
    loaded = load("demo")
    seen = loaded.preprocess.crop(open_image(samples()[sample].data), crop)
    probabilities = record(loaded.model, loaded.preprocess.normalised(seen))["logits"].tensor[0].softmax(-1)
    best = int(probabilities.argmax())
    return loaded.labels[best], small(float(probabilities[best]))


def expect_answer(page: Page, crop: Crop | None) -> None:
    label, number = answer_of("coffee", crop)
    first = page.locator(".cropping .answer li").first
    expect(first.locator("span").first).to_have_text(label)
    expect(first.locator("b")).to_have_text(number)


def test_a_dragged_crop_is_previewed_at_once_and_run_on_release(visit: Callable[..., Page]) -> None:
    page = visit(viewport=LAPTOP)
    open_board(page, "patch_grid", sample="coffee", moment=5, crop="250-100-500")
    expect(page.locator(".cropping p").first).to_have_text("200 × 200 of 600 × 400 pixels become 96 × 96.")
    expect_answer(page, Crop(250, 100, 500))
    whole = page.locator(".cropping canvas")
    box = whole.bounding_box()
    assert box
    unit = box["height"] / 1000  # the picture is wider than high
    before = rgba(photo(page))
    messages = page.evaluate("window.__traffic.messages")
    page.mouse.move(box["x"] + 400 * unit, box["y"] + 300 * unit)
    page.mouse.down()
    page.mouse.move(box["x"] + 700 * unit, box["y"] + 400 * unit, steps=5)
    drawn(page)
    assert page.evaluate("window.__traffic.messages") == messages  # Python is not asked while the hand moves
    assert np.abs(rgba(photo(page)).astype(int) - before).mean() > 10  # another part of the picture
    page.mouse.up()
    page.wait_for_function("/crop=(?!250)/.test(location.search)")
    left, top, side = map(int, (asked(page, "crop") or "").split("-"))
    assert side == 500
    assert abs(left - 550) <= 4
    assert abs(top - 200) <= 4
    expect_answer(page, Crop(left, top, side))
    page.reload()
    expect_answer(page, Crop(left, top, side))
    page.get_by_role("button", name="The model's own crop").click()
    page.wait_for_function("!new URLSearchParams(location.search).has('crop')")
    expect_answer(page, None)


def test_the_crop_is_resized_by_its_corner_and_moved_by_keys(visit: Callable[..., Page]) -> None:
    page = visit(viewport=LAPTOP)
    open_board(page, "patch_grid", sample="coffee", moment=5, crop="250-100-500")
    box = page.locator(".cropping canvas").bounding_box()
    assert box
    unit = box["height"] / 1000
    page.mouse.move(box["x"] + 746 * unit, box["y"] + 596 * unit)
    page.mouse.down()
    page.mouse.move(box["x"] + 946 * unit, box["y"] + 796 * unit, steps=3)
    page.mouse.up()
    page.wait_for_function("/crop=250-100-(69|70)/.test(location.search)")
    side = (asked(page, "crop") or "").split("-")[2]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.wait_for_function(f"location.search.includes('crop=275-125-{side}')")
    page.keyboard.press("0")
    page.wait_for_function("!new URLSearchParams(location.search).has('crop')")
    expect_answer(page, None)


def test_an_answer_that_comes_late_does_not_take_a_newer_crop_back(visit: Callable[..., Page]) -> None:
    page = visit(viewport=LAPTOP)  # in which no other answer will be late
    open_board(page, "patch_grid", sample="coffee", moment=5, crop="250-100-500")
    expect_answer(page, Crop(250, 100, 500))
    page.evaluate("window.__traffic.late = 600")
    before = page.evaluate("window.__traffic.runs")
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "(before) => location.search.includes('crop=275-100-500') && __traffic.runs > before", arg=before
    )
    page.keyboard.press("0")
    page.wait_for_function("!new URLSearchParams(location.search).has('crop')")
    page.evaluate("window.__hands.been.length = 0")
    expect_answer(page, None)
    settled(page)
    assert "crop=" not in page.evaluate("window.__hands.been.join() + location.search")


def test_on_a_phone_a_tap_moves_the_crop(visit: Callable[..., Page]) -> None:
    page = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    open_board(page, "patch_grid", sample="coffee", moment=5, crop="0-0-500")
    whole = page.locator(".cropping canvas")
    box = whole.bounding_box()
    assert box
    whole.tap(position={"x": box["width"] - 4, "y": box["height"] - 4})
    page.wait_for_function("location.search.includes('crop=1000-500-500')")
    expect_answer(page, Crop(1000, 500, 500))
