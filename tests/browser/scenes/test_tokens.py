"""The chapter Tokens on the board: what the hand gets, and that every number on screen is Python's."""

from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, Position, expect

from tests.browser.board import still
from tests.browser.scenes.left import GRID, addend, asked, on_patch, open_board, readout
from vitviz.config import PRESETS
from vitviz.images import open_image
from vitviz.measures import positions, tokens
from vitviz.numbers import small
from vitviz.pages import ON_BOARD
from vitviz.samples import samples
from vitviz.trace import Trace, record
from vitviz.weights import load

PAGES = ("patch_grid", "patch_embedding", "position_embedding")


@pytest.fixture
def page(stays: Page) -> Page:
    """That of a visitor who stays: what is told here hangs on the address alone."""
    return stays


@pytest.fixture(scope="module")
def trace() -> Trace:
    """The demo model's pass over the picture of a red ball left of a blue one."""
    loaded = load("demo")
    return record(loaded.model, loaded.preprocess(open_image(samples()["left"].data)))


@pytest.mark.parametrize("stem", PAGES)
def test_arrows_move_the_patch_and_one_of_the_photo_is_previewed_given_back_and_chosen(page: Page, stem: str) -> None:
    open_board(page, stem)
    for key, patch in (("ArrowRight", 67), ("ArrowDown", 79), ("ArrowLeft", 78), ("ArrowUp", 66)):  # from the middle
        page.keyboard.press(key)
        expect(page.locator(".readout")).to_contain_text(f"patch {patch}")
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
    still(page)  # the strip has unrolled
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


def test_a_token_is_a_point_where_python_has_it(page: Page, trace: Trace) -> None:
    open_board(page, "patch_embedding", moment=5)
    found = tokens.token_components(trace, 3)
    x, y = found.coordinates[:, 0], -found.coordinates[:, 1]
    patch = int(x.argmax())
    scene = page.locator(".scene canvas:visible")
    box = scene.bounding_box()
    assert box
    wide, high = box["width"] - 46, box["height"] - 50  # without the names of the axes
    scale = min(wide / np.ptp(x), high / np.ptp(y))
    across, down = ((it[patch] - (it.max() + it.min()) / 2) * scale for it in (x, y))
    at: Position = {"x": float(30 + wide / 2 + across - 2), "y": float(16 + high / 2 + down)}
    scene.hover(position=at)
    expect(page.locator(".readout")).to_contain_text(f"patch {patch + 1}, ")
    scene.click(position=at)
    page.wait_for_function("patch => location.search.includes(`query=${patch}`)", arg=patch + 1)


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
    page.wait_for_function("location.search.includes('placed=shuffled')")


def test_the_kind_of_positions_in_an_address_is_the_models_and_an_old_link_means_the_scenes(page: Page) -> None:
    open_board(page, "position_embedding", model="build-your-own", positions="relative", moment=3)
    page.get_by_role("button", name="positions off").click()
    page.wait_for_function("location.search.includes('placed=off')")
    assert "positions=relative" in page.url
    page.goto(page.url.replace("placed=off", "positions=shuffled").replace("positions=relative&", ""))
    page.wait_for_function("location.search.includes('placed=shuffled')")


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
    moments = len(ON_BOARD[stem].moments(PRESETS["demo"]))
    for moment in range(moments):
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        box = page.locator(".scene").bounding_box()
        assert box
        assert box["height"] >= 340
        if moment < moments - 1:
            page.keyboard.press("PageDown")
            expect(page.locator(".which")).to_have_text(f"{moment + 2} of {moments}")


def test_filters_stand_beside_their_principal_components_which_are_named_as_such(page: Page, trace: Trace) -> None:
    open_board(page, "patch_embedding", moment=3)
    scene, caption = page.locator(".scene canvas:visible"), page.locator(".scene .caption")
    share = tokens.filter_components(trace.model, 28).share
    expect(caption).to_contain_text(f"Principal component 1 holds {100 * share[0]:.1f} % of the filters' variance.")
    box = scene.bounding_box()
    assert box
    scene.click(position={"x": 1.5 * 0.48 * box["width"] / 10, "y": 35})  # the second of 128 filters, ten in a row
    expect(page.locator(".readout")).to_contain_text("component 2:")
    scene.hover(position={"x": 0.52 * box["width"] + 1.5 * 0.48 * box["width"] / 7, "y": 35})
    expect(caption).to_contain_text(f"Principal component 2 holds {100 * share[1]:.1f} %")
    more = page.get_by_role("tooltip")
    expect(more).to_be_hidden()
    page.get_by_role("button", name="More about this").focus()
    expect(more).to_contain_text(f"these 28 hold {100 * share.sum():.1f} % of it")


def test_positions_are_tried_where_they_matter(page: Page) -> None:
    open_board(page, "position_embedding", sample="cat", moment=3)
    expect(page.get_by_role("status").filter(has_text="With positions off")).to_be_hidden()
    page.get_by_role("button", name="Try it on these balls").click()
    page.wait_for_function("location.search.includes('sample=column')")
    expect(page.locator(".answer").first.locator("li").first).to_contain_text("red ball above blue ball")
    expect(page.get_by_role("button", name="Try it on")).to_be_hidden()


def test_one_key_leads_to_balls_in_one_column_and_space_takes_the_positions_away(page: Page) -> None:
    open_board(page, "position_embedding", sample="cat", moment=3)
    said = page.locator(".balls dd")  # beside the cat, which needs no places
    expect(said.first).to_have_text("red ball above blue ball 0.949")
    expect(said.nth(1)).to_have_text("red ball left of blue ball 0.894")
    page.keyboard.press("e")
    page.wait_for_function("location.search.includes('sample=column')")
    answers = page.locator(".aside .answer")
    expect(answers.first.locator("li").first).to_contain_text("red ball above blue ball")
    page.keyboard.press(" ")
    expect(page.locator(".aside")).to_contain_text("With positions off: red ball left of blue ball 0.894.")
    page.wait_for_function("location.search.includes('placed=shuffled')")
    expect(page.locator(".aside button[aria-pressed=true]")).to_have_text("positions shuffled")
