"""The counting pages under mouse, keys and touch: what is dragged answers while it is held."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.board import drawn
from tests.browser.watch import reach, settled
from vitviz.config import PRESETS
from vitviz.counts import total_macs, total_parameters
from vitviz.numbers import exact, short

BASE = PRESETS["vit_base_patch16_224"]


@pytest.fixture
def page(stays: Page) -> Page:
    """That of a visitor who stays: what is told here hangs on the address alone."""
    return stays


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    while not box:  # it is drawn anew at this moment
        place.wait_for()
        box = place.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_slider_answers_while_it_is_dragged(page: Page) -> None:
    reach(page, "/memory?model=vit_base_patch16_224")
    slider = page.get_by_role("slider", name="Pictures in a batch")
    box = slider.bounding_box()
    assert box
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.13 * box["width"], y)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.6 * box["width"], y, steps=8)
    bars = page.locator("figure text", has_text="activations of")
    drawn(page)
    batch = slider.get_attribute("aria-valuetext")
    expect(bars).to_contain_text(f"activations of {batch} pictures")  # the button is still down
    assert batch != "32"
    page.mouse.up()
    settled(page)
    assert f"batch={batch}" in page.url
    page.reload()
    settled(page)
    expect(slider).to_have_attribute("aria-valuetext", str(batch))


def test_the_edge_of_the_area_picture_is_the_depth(page: Page) -> None:
    reach(page, "/build_a_vit?model=vit_base_patch16_224")
    x, y = middle(page.locator("[data-handle=slide_depth] rect"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 120, y, steps=6)
    edge = page.get_by_role("slider", name="Right edge of the blocks")
    drawn(page)
    says = edge.get_attribute("aria-valuetext") or ""
    depth = int(says.partition("depth ")[2].partition(":")[0])
    assert depth > 12
    built = BASE.with_(depth=depth)
    assert says.endswith(f"{exact(total_parameters(built))} parameters, {short(total_macs(built))}MAC")
    expect(page.locator(".tiles .lit", has_text="all parameters")).to_contain_text(exact(total_parameters(built)))
    page.mouse.up()
    settled(page)
    expect(page.get_by_role("slider", name="Depth", exact=True)).to_have_attribute("aria-valuetext", str(depth))
    assert f"depth={depth}" in page.url


def test_the_diamond_of_growth_takes_keys_and_mouse(page: Page) -> None:
    reach(page, "/growth?model=demo")
    diamond = page.get_by_role("slider", name="Image size to compare with")
    diamond.press("ArrowRight")
    settled(page)
    assert "grown_image_size=104" in page.url
    x, y = middle(page.locator("[data-handle=grown_image_size] path"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 200, y, steps=5)
    page.mouse.up()
    settled(page)
    shown = page.locator("figure").get_by_role("status").first
    size = int(re.findall(r"Image size (\d+)", shown.inner_text())[0])
    assert size > 104
    page.wait_for_url(f"**grown_image_size={size}")
    grown = PRESETS["demo"].with_(image_size=size)
    expect(shown).to_contain_text(f"Image size {size}, {exact(grown.tokens)} tokens")
    expect(shown).to_contain_text(f"{short(total_macs(grown))}MAC")
    expect(page.locator("figure text", has_text="take over")).to_have_count(1)


def test_a_card_and_its_name_choose_a_model(page: Page) -> None:
    reach(page, "/side_by_side?model=vit_base_patch16_224")
    page.get_by_role("button", name="L/16").click()
    table = page.get_by_role("region", name="Two models side by side")
    expect(table).to_contain_text("304,326,632")
    page.wait_for_url("**beside=vit_large_patch16_224**")
    page.locator('[data-chooses="vit_huge_patch14_224"]').first.click(position={"x": 5, "y": 3})
    expect(table).to_contain_text("632,045,800")
    expect(page.get_by_role("button", name="H/14")).to_have_attribute("aria-pressed", "true")


def test_a_click_in_the_plane_is_the_model_there(page: Page) -> None:
    reach(page, "/find_the_model?model=vit_base_patch16_224")
    box = page.locator("figure svg").bounding_box()
    assert box
    page.mouse.click(box["x"] + 0.8 * box["width"], box["y"] + 0.3 * box["height"])
    settled(page)
    dim, depth = map(int, page.url.partition("there=")[2].split("x"))
    built = BASE.with_(dim=dim, depth=depth, heads=dim // 64, mlp_dim=4 * dim)
    expect(page.get_by_test_id("stMain")).to_contain_text(f"{exact(total_parameters(built))} parameters")
    page.get_by_role("slider", name="Budget").press("ArrowRight")
    expect(page.get_by_label("How many millions")).to_have_value("60.00")


def test_a_row_lights_its_areas_and_an_area_its_row(page: Page) -> None:
    reach(page, "/arithmetic?model=vit_base_patch16_224")
    page.locator("tr[data-row=MLP]").hover()
    expect(page.locator("g[data-row=MLP].lit")).to_have_count(len(PRESETS))
    page.locator("g[data-row=QKᵀ]").first.hover()
    expect(page.locator("tr[data-row=QKᵀ]")).to_have_class("lit")
    expect(page.locator("figure").get_by_role("status").first).to_have_text("B/16, QKᵀ: 357,663,744 MAC, 2.0 %")


def test_an_axis_name_is_lit_everywhere_and_a_row_leads_to_its_page(page: Page) -> None:
    reach(page, "/tensor_shapes?model=demo&find=blocks.1.")
    page.get_by_role("button", name="head", exact=True).first.click()
    lit = page.locator("button[aria-pressed=true]")
    lit.first.wait_for()
    assert set(lit.all_text_contents()) == {"head"}
    assert set(page.locator("i.axis").all_text_contents()) == {
        "4",
        "128",
        "384",
    }  # 128 and 384 are heads times their components
    page.get_by_role("link", name="blocks.1.attn.weights").click()
    page.wait_for_url("**/heads?*")
    assert "layer=2" in page.url


def test_a_tap_moves_the_diamond_and_a_phone_shows_whole_numbers(visit: Callable[..., Page]) -> None:
    page = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    reach(page, "/growth?model=demo")
    page.locator("figure svg").scroll_into_view_if_needed()
    box = page.locator("figure svg").bounding_box()
    assert box
    page.touchscreen.tap(box["x"] + 0.8 * box["width"], box["y"] + 0.5 * box["height"])
    settled(page)
    assert "grown_image_size=" in page.url
    reach(page, "/parameters?model=vit_base_patch16_224")
    wide = page.evaluate("() => [...document.querySelectorAll('.counts')].map((it) => it.scrollWidth - it.clientWidth)")
    assert wide == [0, 0]
