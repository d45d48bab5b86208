"""What stands at the photo: sliders of layers and heads, and the photo alone as long as it is held."""

from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.board import HEADS, LAYERS, SHARED, away, brightness, drawn, readout, show, unlit
from vitviz import numbers
from vitviz.measures.attention import attention_row
from vitviz.trace import Trace


def test_the_photo_is_seen_alone_as_long_as_it_is_held(page: Page) -> None:
    dim, far = unlit(page, 40)
    show(page, "/heads?query=40&layer=4")
    away(page)
    lit = brightness(page)
    assert lit.mean() < 0.8 * dim.mean()
    page.keyboard.down("p")
    drawn(page)
    np.testing.assert_allclose(brightness(page)[far], dim[far], atol=0.5)
    page.keyboard.up("p")
    drawn(page)
    np.testing.assert_array_equal(brightness(page), lit)
    page.get_by_role("button", name="hold: photo").hover()
    page.mouse.down()
    drawn(page)
    np.testing.assert_allclose(brightness(page)[far], dim[far], atol=0.5)
    page.mouse.up()
    drawn(page)
    np.testing.assert_array_equal(brightness(page), lit)


SENT = """() => {
    globalThis.__written = [];
    const write = history.replaceState;
    history.replaceState = function (state, title, to) {
        globalThis.__written.push(String(to));
        return write.apply(this, [state, title, to]);
    };
}"""


def at(page: Page, name: str, place: int, many: int) -> tuple[float, float]:
    """Where the handle of a slider stands at a place counted from 1, in pixels of the page."""
    box = page.get_by_role("slider", name=name).bounding_box()
    assert box
    assert box["height"] >= 24
    return box["x"] + 8 + (box["width"] - 16) * (place - 1) / (many - 1), box["y"] + box["height"] / 2


def test_layer_and_head_are_dragged_and_the_address_waits_for_the_hand(page: Page, trace: Trace) -> None:
    show(page, "/heads?query=40")
    away(page)
    page.evaluate(SENT)
    page.mouse.move(*at(page, "layer", 1, LAYERS))
    page.mouse.down()
    for layer in (2, 5, 4):
        page.mouse.move(*at(page, "layer", layer, LAYERS))
        drawn(page)
        most = float(attention_row(trace, layer - 1, 40)[0].max())
        assert f" · layer {layer} · head 1 " in readout(page)
        said = float(readout(page).partition("≈ ")[2].partition(",")[0])
        assert said == pytest.approx(most, rel=0.03), "of the maps in one byte, which the browser has"
        slider = page.get_by_role("slider", name="layer")
        assert slider.get_attribute("aria-valuetext") == f"layer {layer} of {LAYERS}"
        assert not page.evaluate("globalThis.__written")
    assert (
        page.locator(".heads .scale").inner_text()
        == f"brightest from {numbers.small(SHARED)}, 8 times uniform attention"
    )
    page.mouse.up()
    page.wait_for_function("() => location.search.includes('layer=4')")
    assert len(page.evaluate("globalThis.__written")) == 1
    exact = page.locator(".readout", has_text=f": {numbers.small(most)}, ")
    expect(exact).to_be_visible()
    page.keyboard.press("Shift+L")
    page.keyboard.press("h")
    drawn(page)
    assert " · layer 3 · head 2 " in readout(page), "the handle that was dragged leaves the keys"
    page.get_by_role("slider", name="head").press("End")
    page.keyboard.press("l")
    drawn(page)
    assert f" · layer 4 · head {HEADS} " in readout(page), "and so does one that has the focus, but for its arrows"
    page.wait_for_function(f"() => location.search.includes('head={HEADS}')")


def test_a_finger_drags_a_slider_of_24_layers(visit: Callable[..., Page]) -> None:
    page = visit(viewport={"width": 390, "height": 844}, has_touch=True)
    show(page, "/depth?model=vit_large_patch16_224&moment=2", complete=False)
    slider = page.get_by_role("slider", name="layer")
    expect(slider).to_have_attribute("aria-valuetext", "layer 1 of 24")
    touch = page.context.new_cdp_session(page)
    for kind, place in (("touchStart", 1), ("touchMove", 9), ("touchMove", 17), ("touchEnd", None)):
        points = [dict(zip("xy", at(page, "layer", place, 24), strict=True))] if place else []
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    expect(slider).to_have_attribute("aria-valuetext", "layer 17 of 24")
    page.wait_for_function("() => location.search.includes('layer=17')")
