"""Moments of Heads: the matrix, as large as the hand wants it, and the class token's attention while it was learned."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.board import GRID, TOKENS, at, away, close, drawn, readout, rgba, show, steps
from tests.browser.watch import been
from vitviz import numbers
from vitviz.demo.snapshots import milestone, snapshots
from vitviz.measures import attention_weights
from vitviz.trace import Trace


@pytest.fixture
def page(stays: Page) -> Page:
    """That of a visitor who stays: what is told here hangs on the address alone."""
    return stays


def test_the_matrix_zooms_around_the_hand_and_moves_with_it(page: Page, trace: Trace) -> None:
    weights = attention_weights(trace, 4)[2]
    show(page, "/heads?query=1&layer=5&head=3&moment=2")
    matrix, caption = page.locator("canvas.matrix"), page.locator(".heads .caption")
    apart = slice(40, 110)
    query, key = 40 + np.array(np.unravel_index(weights[apart, apart].argmax(), (70, 70)))
    x, y = (key + 0.5) / TOKENS, (query + 0.5) / TOKENS
    at(page, matrix, x, y)
    row, column = divmod(query - 1, GRID)
    pair = f"query patch {query} (row {row + 1}, column {column + 1}), key patch {key} "
    expect(caption).to_contain_text(pair)
    address, small = page.url, rgba(matrix)
    page.mouse.wheel(0, -700)
    expect(matrix).to_have_class(re.compile("zoomed"))
    box = matrix.bounding_box()
    assert box
    spot = [box["x"] + x * box["width"], box["y"] + y * box["height"]]
    page.mouse.move(*spot)
    page.mouse.down()
    page.mouse.move(spot[0] + 60, spot[1] - 40, steps=6)
    page.mouse.up()
    drawn(page)
    assert caption.inner_text().startswith(pair), "the cell went with the hand"
    away(page)
    assert readout(page).startswith("query patch 1 · "), "a drag chooses nothing"
    assert page.url == address
    large = rgba(matrix)
    across, down = int(spot[0] - box["x"] + 60), int(spot[1] - box["y"] - 40)
    assert close(steps(large[down - 1 : down + 2, across - 1 : across + 2]), weights[query, key])
    at(page, matrix, 0.5, 0.5)
    page.mouse.dblclick(box["x"] + 5, box["y"] + 5)
    expect(matrix).not_to_have_class(re.compile("zoomed"))
    drawn(page)
    inner = np.s_[10:-10, 40:-10]  # of what the double click has chosen
    assert (rgba(matrix)[inner] == small[inner]).mean() > 0.95
    touch = page.context.new_cdp_session(page)
    for kind, half in (("touchStart", 20), *(("touchMove", 20 + 5 * step) for step in range(1, 13)), ("touchEnd", 0)):
        fingers = [{"x": spot[0] + side * half, "y": spot[1], "id": side + 1} for side in (-1, 1) if half]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})
    expect(matrix).to_have_class(re.compile("zoomed"))
    at(page, matrix, x, y)
    assert caption.inner_text().startswith(pair), "and what lies between two fingers stays there"
    touched = rgba(matrix)
    across, down = int(spot[0] - box["x"]), int(spot[1] - box["y"])
    assert close(steps(touched[down - 1 : down + 2, across - 1 : across + 2]), weights[query, key])


def test_watch_it_learn_shows_every_moment_of_training(page: Page) -> None:
    show(page, "/heads?layer=4")
    page.get_by_role("button", name="watch it learn").click()
    slider = page.get_by_role("slider", name="Moment of training")
    kept = snapshots()
    page.wait_for_function("() => location.search.includes('learned=0')")
    page.locator(".learning").get_by_text("Before training: accuracy").wait_for()
    slider.focus()
    for step in range(1, len(kept.steps)):
        slider.press("ArrowRight")
        drawn(page)
        said = slider.get_attribute("aria-valuetext") or ""
        assert said.startswith(f"After {numbers.exact(kept.steps[step])} of {numbers.exact(kept.steps[-1])} steps")
        assert f"accuracy {numbers.small(milestone(step)['accuracy'])} on 320 held-out scenes" in said
    limit = float(kept.attention.mean(axis=3)[:, :, 3, 1:].max())
    assert f"brightest from {numbers.small(limit)}" in page.locator(".learning p").inner_text()
    page.wait_for_function(f"() => location.search.includes('learned={kept.steps[-1]}')")
    slider.blur()
    with been(page, f"learned={kept.steps[1]}"):
        page.get_by_role("button", name="play").click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="watch it learn").click()
    drawn(page)
    assert page.locator("canvas.wall").is_visible()


def test_another_model_was_not_watched_while_it_learned(page: Page) -> None:
    show(page, "/heads?model=vit_tiny_patch16_224&learned=166", complete=False)
    assert not page.get_by_role("button", name="watch it learn").is_visible()
    assert page.locator("canvas.wall").is_visible()
