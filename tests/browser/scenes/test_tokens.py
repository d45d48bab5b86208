"""The chapter Tokens on the board: what the hand gets, and that every number on screen is Python's."""

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from playwright.sync_api import Page, Position, expect

from tests.browser.board import drawn, photo, rgba
from tests.browser.watch import open_page
from vitviz.config import PRESETS
from vitviz.counts import total_macs, total_parameters
from vitviz.images import Crop, open_image
from vitviz.measures import positions, tokens
from vitviz.numbers import exact, short, small
from vitviz.trace import Trace, record
from vitviz.ui.board.scenes import SCENES
from vitviz.ui.sidebar.samples import samples
from vitviz.weights import load

GRID, MIDDLE, PATCH_SIZE = 12, 65, 8  # of the demo model; the patch in the middle counts from 0
PAGES = ("patch_grid", "patch_embedding", "position_embedding")


@pytest.fixture(scope="module")
def trace() -> Trace:
    """The demo model's pass over the picture of a red ball left of a blue one."""
    loaded = load("demo")
    return record(loaded.model, loaded.preprocess(open_image(samples()["left"].data)))


def open_board(page: Page, stem: str, **query: str | int) -> None:
    words = "&".join(f"{name}={value}" for name, value in {"sample": "left", **query}.items())
    open_page(page, f"/{stem}?{words}")
    expect(page.locator(".readout")).not_to_be_empty()


def readout(page: Page, text: str) -> None:
    expect(page.locator(".readout")).to_have_text(text)


def on_patch(page: Page, patch: int) -> Position:
    """A place on the photo, in the middle of a patch that counts from 0."""
    box = page.locator(".photo canvas").bounding_box()
    assert box
    return {
        "x": (patch % GRID + 0.5) * box["width"] / GRID,
        "y": (patch // GRID + 0.5) * box["height"] / GRID,
    }


def asked(page: Page, name: str) -> str | None:
    return parse_qs(urlsplit(page.url).query).get(name, [None])[0]


def addend(number: float) -> str:
    return f"({small(number)})" if number < 0 else small(number)


@pytest.mark.parametrize("stem", PAGES)
def test_a_patch_of_the_photo_is_previewed_given_back_and_chosen(page: Page, stem: str) -> None:
    open_board(page, stem)
    photo, said = page.locator(".photo canvas"), page.locator(".readout")
    expect(said).to_contain_text("patch 66")
    messages = page.evaluate("window.__traffic.messages")
    photo.hover(position=on_patch(page, 29))
    expect(said).to_contain_text("patch 30")
    page.locator(".sentence").hover()
    expect(said).to_contain_text("patch 66")
    photo.click(position=on_patch(page, 29))
    page.locator(".sentence").hover()
    expect(said).to_contain_text("patch 30")
    page.wait_for_function("location.search.includes('query=30')")
    assert page.evaluate("window.__traffic.messages") == messages  # Python was not asked


@pytest.mark.parametrize("stem", PAGES)
def test_arrows_move_the_patch_from_the_middle_at_once(page: Page, stem: str) -> None:
    open_board(page, stem)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".readout")).to_contain_text("patch 67")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".readout")).to_contain_text("patch 79")


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
    expect(note).to_have_text("8 · 8 · 3 = 192 numbers, normalised. Point at a pixel.")
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


def test_a_clicked_pixel_stays_and_a_key_takes_the_next(page: Page) -> None:
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
    messages = page.evaluate("window.__traffic.messages")
    rows.nth(0).click()
    page.wait_for_function("location.search.includes('tried=32')")
    page.locator(".sentence").hover()
    expect(said).to_contain_text("3 × 3 = 9 patches")
    rows.nth(2).locator("button").click()
    page.wait_for_function("!location.search.includes('tried')")
    assert page.evaluate("window.__traffic.messages") == messages  # Python was not asked


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


def test_a_dragged_crop_is_previewed_at_once_and_run_on_release(page: Page) -> None:
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
    page.wait_for_function("!location.search.includes('crop')")
    expect_answer(page, None)


def test_the_crop_is_resized_by_its_corner_and_moved_by_keys(page: Page) -> None:
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
    page.wait_for_function("!location.search.includes('crop')")
    expect_answer(page, None)


def test_on_a_phone_a_tap_moves_the_crop(visit: Callable[..., Page]) -> None:
    page = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    open_board(page, "patch_grid", sample="coffee", moment=5, crop="0-0-500")
    whole = page.locator(".cropping canvas")
    box = whole.bounding_box()
    assert box
    whole.tap(position={"x": box["width"] - 4, "y": box["height"] - 4})
    page.wait_for_function("location.search.includes('crop=1000-500-500')")
    expect_answer(page, Crop(1000, 500, 500))


@pytest.mark.parametrize(("query", "component"), [(30, 1), (1, 57), (144, 128)])
def test_a_component_is_the_sum_that_python_computes(page: Page, trace: Trace, query: int, component: int) -> None:
    open_board(page, "patch_embedding", query=query, component=component)
    made = tokens.projection(trace)
    x, column = made.patches[query - 1], made.matrix[:, component - 1]
    bias, token = made.bias[component - 1], made.tokens[query - 1, component - 1]
    row, place = divmod(query - 1, GRID)
    readout(
        page,
        f"patch {query}, row {row + 1}, column {place + 1} · component {component}: "
        f"{small(float(x.astype(float) @ column))} + {addend(bias)} = {small(token)}",
    )


def test_pointing_at_a_component_previews_its_filter_and_a_click_keeps_it(page: Page) -> None:
    open_board(page, "patch_embedding")
    scene = page.locator(".scene canvas:visible")
    box = scene.bounding_box()
    assert box
    at: Position = {"x": 63.5 * box["width"] / 128, "y": box["height"] - 60}
    expect(page.locator(".readout")).to_contain_text("component 1:")
    page.wait_for_timeout(500)  # the strip has unrolled
    scene.hover(position=at)
    expect(page.locator(".readout")).to_contain_text("component 64:")
    page.locator(".sentence").hover()
    expect(page.locator(".readout")).to_contain_text("component 1:")
    scene.click(position=at)
    page.wait_for_function("location.search.includes('component=64')")
    page.keyboard.press("n")
    expect(page.locator(".readout")).to_contain_text("component 65:")


def test_a_filter_and_the_colour_of_a_token_are_choices(page: Page) -> None:
    open_board(page, "patch_embedding", moment=2)
    scene = page.locator(".scene canvas:visible")
    box = scene.bounding_box()
    assert box
    scene.click(position={"x": 1.4 * box["width"] / 16, "y": 10})  # 128 filters in rows of 16
    expect(page.locator(".readout")).to_contain_text("component 2:")
    open_board(page, "patch_embedding", moment=4)
    scene.click(position={"x": 5, "y": 5})
    expect(page.locator(".readout")).to_contain_text("patch 1, row 1, column 1")


def test_what_is_added_are_the_numbers_of_python(page: Page, trace: Trace) -> None:
    open_board(page, "position_embedding", query=40, component=9)
    token = tokens.embedded(trace, "patch_tokens")[39, 8]
    position, total = tokens.patch_positions(trace)[39, 8], tokens.placed_tokens(trace)[40, 8]
    readout(page, f"patch 40: row 4, column 4 · component 9: {small(token)} + {addend(position)} = {small(total)}")


def test_every_map_and_every_cell_can_be_pointed_at(page: Page) -> None:
    open_board(page, "position_embedding", moment=2)
    scene = page.locator(".scene canvas:visible")
    scene.hover(position={"x": 8, "y": 40})
    readout(page, "patch 1: row 1, column 1")
    page.locator(".sentence").hover()
    readout(page, "patch 66: row 6, column 6")
    box = scene.bounding_box()
    assert box
    scene.click(position={"x": box["width"] - 5, "y": 34})  # the last cell of the first row of the enlarged map
    page.wait_for_function("location.search.includes('key=12')")


def test_answers_with_other_positions_are_those_of_python(page: Page, trace: Trace) -> None:
    open_board(page, "position_embedding", moment=3)
    labels = load("demo").labels
    expected = []
    for probabilities in (
        positions.probabilities_without_positions(trace),
        positions.probabilities_with_shuffled_positions(trace),
    ):
        best = int(probabilities.argmax())
        expected.append((labels[best], small(probabilities[best])))
    for bars, (label, number) in zip((1, 2), expected, strict=True):
        first = page.locator(".answer").nth(bars).locator("li").first
        expect(first.locator("span").first).to_have_text(label)
        expect(first.locator("b")).to_have_text(number)
    page.get_by_role("button", name="positions shuffled").click()
    page.wait_for_function("location.search.includes('positions=shuffled')")


def test_two_patches_change_places_by_click_and_the_proof_is_in_numbers(page: Page, trace: Trace) -> None:
    open_board(page, "position_embedding", moment=4, query=87, key=68)
    values = page.locator(".proof dd")
    expect(values.last).to_have_text(small(positions.swapped_patches(trace, 86, 67).with_positions.item()))
    photo = page.locator(".photo canvas")
    photo.click(position=on_patch(page, 70), modifiers=["Shift"])
    expect(page.locator(".pair")).to_have_text("patch 87andpatch 71change places in the picture")
    swap = positions.swapped_patches(trace, 86, 70)
    expect(values.last).to_have_text(small(swap.with_positions.item()))
    for at in range(3):  # what stays: rounding alone, which no two machines share
        text = values.nth(at).inner_text()
        assert text == "0" or "·10⁻" in text, text
    page.get_by_role("button", name="patch 71").click()
    photo.click(position=on_patch(page, 143))
    expect(page.locator(".pair")).to_contain_text("patch 144change")
    assert asked(page, "query") == "87"


@pytest.mark.parametrize("stem", PAGES)
def test_on_a_phone_a_tap_chooses_and_everything_has_its_room(visit: Callable[..., Page], stem: str) -> None:
    page = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    open_board(page, stem)
    page.locator(".photo canvas").tap(position=on_patch(page, 13))
    expect(page.locator(".readout")).to_contain_text("patch 14")
    moments = len(SCENES[stem].moments(PRESETS["demo"]))
    for moment in range(moments):
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        box = page.locator(".scene").bounding_box()
        assert box
        assert box["height"] >= 340
        if moment < moments - 1:
            page.keyboard.press("PageDown")
            expect(page.locator(".which")).to_have_text(f"{moment + 2} of {moments}")
