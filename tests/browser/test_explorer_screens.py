"""The explorer in a hall, on a phone, in the dark, flat, on demand, and beside many thumbnails."""

import re
from collections.abc import Callable

import numpy as np
from playwright.sync_api import FloatRect, Page

from tests.browser.explorer import close, drawn, explore, said, sentence, steps
from tests.browser.watch import open_page, settled, violations
from vitviz.config import ViTConfig
from vitviz.images import open_image
from vitviz.measures import attention_weights, rollout
from vitviz.trace import record
from vitviz.ui.samples import samples
from vitviz.weights import build

# What the note and the matrix say in the first frame after a layer far away was chosen, and whether any weight is seen.
GO_TO_LAYER_7 = """(slider) => {
    slider.value = 7;
    slider.dispatchEvent(new Event("input"));
    const $ = (selector) => slider.getRootNode().querySelector(selector);
    const seen = ({ width, height }) => $(".overlay").getContext("2d").getImageData(0, 0, width, height).data;
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done([
        $("[data-note]").innerText,
        $("[data-matrix-scale]").innerText,
        seen($(".overlay")).some((value, i) => i % 4 === 3 && value === 255),
    ]))));
}"""

MOTION_ENDS = """() => {
    const ends = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime < 10000);
    return Promise.allSettled(ends.map((it) => it.finished));
}"""

LEFT_OF_TEXT = """(names) => Math.min(...[...names.children].map((name) => {
    const text = document.createRange();
    text.selectNodeContents(name);
    return text.getBoundingClientRect().left;
}))"""


def test_one_screen_of_a_hall_holds_the_instrument(page: Page) -> None:
    open_page(page, "/heads?layer=5")
    page.wait_for_function("() => globalThis.__vitviz?.drawn?.count > 0")
    needed = ["[name=layer]", "[name=head]", ".readout", "[data-area=picture]", "[data-area=matrix]"]
    assert max(bottom(page, selector) for selector in needed) <= 720, "at first sight"
    page.get_by_test_id("stSidebarHeader").hover()
    page.get_by_role("button", name="Collapse sidebar").click()
    page.locator("[data-testid=stSidebar][data-collapsed=true]").wait_for(state="attached")
    page.evaluate(MOTION_ENDS)
    page.locator(".explorer").evaluate("explorer => explorer.scrollIntoView()")
    drawn(page)
    header = bottom(page, "[data-testid=stHeader]")
    assert rectangle(page, "[name=layer]")["y"] >= header
    assert max(bottom(page, selector) for selector in [*needed, "[data-scale]", "[data-matrix-scale]"]) <= 720
    assert rectangle(page, "[data-area=picture]")["width"] > 480


def bottom(page: Page, selector: str) -> float:
    """Where an element ends, in pixels from the top of the window."""
    box = rectangle(page, selector)
    return box["y"] + box["height"]


def rectangle(page: Page, selector: str) -> FloatRect:
    """Where an element is, in pixels of the window."""
    box = page.locator(selector).bounding_box()
    assert box
    return box


def test_a_flat_panel_says_so_and_offers_its_own_scale(page: Page) -> None:
    explore(page, "?model=vit_tiny_patch16_224&layer=5")
    note = page.locator("[data-flat]")
    (times,) = re.findall(r"^Near-uniform attention: the largest weight is ([\d.]+) × uniform", note.inner_text())
    assert 1 < float(times) < 2
    assert f"{times} × the uniform 0.0051" in said(page)
    assert np.ptp(steps(page, ".overlay")) < 32
    note.get_by_role("button", name="Show it on its own scale").click()
    drawn(page)
    assert not note.is_visible()
    assert steps(page, ".overlay").max() == 255
    settled(page)
    assert "scale=own" in page.url


def test_layers_come_on_demand_and_none_passes_for_another(page: Page) -> None:
    config = ViTConfig(image_size=192, patch_size=8, dim=64, depth=8, heads=8, mlp_dim=64, classes=10)
    names = ("image_size", "patch_size", "dim", "depth", "heads", "mlp_dim", "classes")
    own = "&".join(f"{name}={getattr(config, name)}" for name in names)
    explore(page, f"?model=build-your-own&{own}&layer=2&query=100&shows=column&scale=own")
    loaded = build(config)
    trace = record(loaded.model, loaded.preprocess(open_image(next(iter(samples().values())).data)))

    def shown_is_layer(layer: int) -> bool:
        column = attention_weights(trace, layer)[0, 1:, 100]
        return close(steps(page, ".overlay").ravel(), column, column.max())

    assert shown_is_layer(1)
    assert not shown_is_layer(6)
    assert page.locator("[name=layer]").evaluate(GO_TO_LAYER_7) == [*2 * ["Layer 7 is on its way."], False]
    page.locator("[data-note]").wait_for(state="hidden")
    assert shown_is_layer(6)
    settled(page)
    assert "layer=7" in page.url
    page.locator('[name=shows][value="rollout"]').check(force=True)
    settled(page)
    drawn(page)
    after = rollout(trace)[6, 100]
    assert close(steps(page, ".overlay").ravel(), after[1:], after[1:].max())


def test_a_phone_in_the_dark(visit: Callable[..., Page]) -> None:
    page = visit(viewport={"width": 360, "height": 800}, color_scheme="light", has_touch=True)
    explore(page, "?layer=3&query=20")
    before = steps(page, ".overlay")
    page.emulate_media(color_scheme="dark")
    settled(page)
    drawn(page)
    np.testing.assert_array_equal(steps(page, ".overlay"), before)
    assert violations(page) == []
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth - main.clientWidth") <= 0
    page.locator("[data-area=picture]").tap(position={"x": 100, "y": 100})
    drawn(page)
    assert page.locator("[name=pinned]").is_checked()
    assert "patch 20 " not in sentence(page)
    tree = page.locator(".st-key-explorer").aria_snapshot()
    for name in ('slider "Layer"', 'slider "Head"', 'button "Play layers"', "application", 'radio "looks at"'):
        assert name in tree


def test_no_name_is_cut_beside_many_thumbnails(visit: Callable[..., Page]) -> None:
    page = visit(viewport={"width": 360, "height": 800})
    explore(page, "?model=build-your-own&image_size=32&patch_size=8&dim=24&depth=24&heads=12&mlp_dim=8&classes=2")
    names = page.locator(".names")
    for scrolled in (0, 200):
        page.locator(".scroll").evaluate("(scroll, left) => { scroll.scrollLeft = left; }", scrolled)
        assert names.inner_text().split() == [*map(str, range(1, 13)), "mean"]
        assert names.evaluate(LEFT_OF_TEXT) >= rectangle(page, ".scroll")["x"]
