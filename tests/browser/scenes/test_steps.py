"""What stands at the photo: steps through layers and heads, and the photo alone as long as it is held."""

import numpy as np
from playwright.sync_api import Page

from tests.browser.board import SHARED, away, brightness, drawn, readout, show, unlit
from vitviz import numbers


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


def test_layer_and_head_go_in_steps_by_buttons(page: Page) -> None:
    show(page, "/heads?query=40")
    page.get_by_role("button", name="layer back").click()
    page.get_by_role("button", name="head on").click()
    away(page)
    assert " · layer 6 · head 2 " in readout(page)
    page.wait_for_function("() => location.search.includes('layer=6') && location.search.includes('head=2')")
    limit = numbers.small(SHARED)
    assert page.locator(".heads .scale").inner_text() == f"full light from {limit}, 8 × uniform"
