"""Pages of the laboratory under the hand: what is dragged answers in the browser, and Python agrees."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.browser.watch import open_page, settled
from vitviz.measures.laboratory.shift import moved_tokens
from vitviz.numbers import small
from vitviz.trace import Trace


def corner(canvas: Locator) -> tuple[float, float, float]:
    """Left and top of a picture on the page, and its width."""
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box
    return box["x"], box["y"], box["width"]


def drawn(canvas: Locator) -> str:
    """All pixels of a canvas."""
    pixels: str = canvas.evaluate("canvas => canvas.toDataURL()")
    return pixels


def drawn_anew(page: Page, canvas: Locator, before: str) -> None:
    """Wait until a canvas shows other pixels than `before`."""
    page.wait_for_function("([canvas, before]) => canvas.toDataURL() !== before", arg=[canvas.element_handle(), before])


def drag(page: Page, start: tuple[float, float], end: tuple[float, float], held: Callable[[], None]) -> None:
    """From one place to another with the button down; what is `held` is looked at before it is let go."""
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=6)
    held()
    page.mouse.up()


def test_a_picture_that_is_dragged_moves_all_maps_without_the_server(page: Page, trace: Trace) -> None:
    open_page(page, "/shift?guess_shift=that+of+the+ViT")
    found = moved_tokens(trace)
    best = int(found.probabilities[0].argmax())
    maps = [page.get_by_role("img", name=name) for name in ("The picture: drag it", "CNN, first layer", "demo, last")]
    said = page.locator("output").first
    left, top, width = corner(maps[0])
    before = [drawn(it) for it in maps]
    sent = page.evaluate("window.__traffic.messages")

    def moved_by_five() -> None:
        expect(said).to_contain_text("5 pixels")
        expect(said).to_contain_text(f"demo {small(float(found.probabilities[5, best]))} · ")
        for each, then in zip(maps, before, strict=True):
            drawn_anew(page, each, then)
        expect(page.locator("svg text", has_text=re.compile("^5$"))).to_have_count(2)
        assert page.evaluate("window.__traffic.messages") == sent, "the hand asks no server"

    drag(page, (left + 100, top + 100), (left + 100 + 5 * width / 96, top + 100), moved_by_five)
    settled(page)
    expect(said).to_contain_text("5 pixels")
    page.wait_for_function("location.search.includes('shift=5')")


def test_a_patch_that_is_dragged_onto_another_changes_places_with_it(page: Page) -> None:
    open_page(page, "/order?guess_order=of+neither")
    before = page.get_by_role("img", name="What the model sees").last
    after = page.get_by_role("img", name="The same picture")
    left, top, width = corner(before)
    cell, then = width / 12, drawn(after)
    answer = page.locator("p", has_text="You guessed “of neither”")
    told = answer.inner_text()

    def swapped() -> None:
        drawn_anew(page, after, then)
        expect(page.get_by_text("patch 42 (row 4, column 6) ↔ patch 91 (row 8, column 7)")).to_be_visible()

    drag(page, (left + 5.5 * cell, top + 3.5 * cell), (left + 6.5 * cell, top + 7.5 * cell), swapped)
    settled(page)
    expect(answer).not_to_have_text(told)
    page.wait_for_function("location.search.includes('swap=42x91')")
    page.get_by_role("button", name="Shuffle all patches").click()
    expect(page.get_by_text("All patches shuffled")).to_be_visible()
    settled(page)
    page.wait_for_function("location.search.includes('swap=shuffled')")
