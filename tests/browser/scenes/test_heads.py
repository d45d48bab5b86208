"""The Heads scene under the hand: pixels and numbers against the model, pointer and keys, the address, large models."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.board import (
    DARK,
    SHARED,
    TOKENS,
    arrived,
    asked,
    at,
    away,
    brightness,
    close,
    drawn,
    headline,
    matrix_steps,
    noted,
    photo,
    point,
    readout,
    show,
    tile,
    unlit,
    wall_steps,
)
from tests.browser.watch import answered, been, settled, violations
from vitviz import numbers
from vitviz.config import ViTConfig
from vitviz.images import open_image
from vitviz.measures import attention_weights, rollout
from vitviz.samples import first
from vitviz.trace import record
from vitviz.weights import build


@pytest.fixture
def page(stays: Page) -> Page:
    """That of a visitor who stays: what is told here hangs on the address alone."""
    return stays


@pytest.fixture(scope="module")
def weights(trace: Any) -> Any:
    """fp32 weights of the demo model on the first sample: `layer head q k`."""
    return np.stack([attention_weights(trace, layer) for layer in range(trace.config.depth)])


def test_the_wall_and_the_matrix_are_the_models(page: Page, weights: Any) -> None:
    show(page, "/heads?query=50&layer=1&head=2&drawn=colours")
    rows = weights[:, :, 50, 1:]
    wall = wall_steps(page)
    assert close(wall[:, :4], rows)
    assert close(wall[:, 4], rows.mean(axis=1))
    show(page, "/heads?query=50&layer=1&head=2&drawn=colours&shows=column")
    assert close(wall_steps(page)[:, :4], weights[:, :, 1:, 50])
    show(page, "/heads?query=class&layer=5&head=3&moment=2")
    away(page)
    shown = matrix_steps(page)
    apart = np.abs(np.arange(TOKENS) - 0) > 2  # the frame of the query lies beside its row
    assert close(shown[apart], weights[4, 2][apart])


def test_the_light_on_the_photo_is_the_models(page: Page, weights: Any) -> None:
    show(page, "/heads?query=50&layer=4&head=2")
    away(page)
    light = np.sqrt(np.minimum(1, weights[3, 1, 50, 1:] / SHARED))
    lit = brightness(page)
    dim, far = unlit(page, 50)
    np.testing.assert_allclose((lit / dim)[far], (1 - DARK * (1 - light))[far], atol=0.02)


def test_rollout_and_mean_stand_in_the_last_row(page: Page, trace: Any, weights: Any) -> None:
    show(page, "/heads?query=100&layer=6&shows=rollout&drawn=colours")
    after = rollout(trace)[:, 100]
    assert close(wall_steps(page)[:, 4], after[:, 1:])
    most = int(after[5].argmax())
    assert f"rollout has gathered most from patch {most}: {numbers.small(after[5].max())}, " in readout(page)
    page.get_by_role("button", name="looks at", exact=True).click()
    tile(page, 3, 5, click=True)
    away(page)
    settled(page)
    assert asked(page) == {"layer=3", "mean=1", "query=100", "drawn=colours"}
    mean = weights[2, :, 100].mean(axis=0)
    exact = f"mean of the heads looks most at patch {mean.argmax()}: {numbers.small(mean.max())}"
    expect(page.locator(".photo .readout")).to_contain_text(exact)


def test_numbers_are_exact_once_the_hand_rests(page: Page, weights: Any) -> None:
    show(page, "/heads?layer=4&head=2&query=40&key=77")
    row = weights[3, 1, 40]
    most, times, weight = map(numbers.small, (row.max(), 145 * row.max(), row[77]))
    assert readout(page) == (
        f"query patch 40 · layer 4 · head 2 looks most at patch {row.argmax()}: {most}, {times} times uniform attention"
        f" · key patch 77: {weight}, rank {1 + (row > row[77]).sum()} of 145"
    )
    said, captions = noted(page, ".readout"), noted(page, ".coded")
    page.keyboard.press("l")
    settled(page)
    row = weights[4, 1, 40]
    assert "≈ 8-bit weights, error at most 1.53 %" in captions()
    expect(page.locator(".photo .readout")).not_to_contain_text("≈")
    before = next(text for text in said() if "· layer 5 · " in text)
    coded, _ = re.findall(r": ≈ ([\d.]+), ", before)  # of the strongest key, and of the one chosen
    assert abs(float(coded) - row.max()) <= row.max() / 255 + 0.0005
    assert f"at patch {row.argmax()}: {numbers.small(row.max())}, " in readout(page)


def test_hovering_previews_and_gives_back_and_a_click_chooses(page: Page) -> None:
    show(page, "/heads?layer=2&head=1&query=class")
    before = readout(page)
    address = page.url
    point(page, 20)
    assert readout(page).startswith("query patch 20 · layer 2 · head 1 ")
    tile(page, 5, 3)
    assert readout(page).startswith("query [class] · layer 5 · head 3 ")
    at(page, page.locator("canvas.matrix"), 30.5 / TOKENS, 90.5 / TOKENS)
    assert readout(page).startswith("query patch 90 · ")
    assert "key patch 30: " in readout(page)
    away(page)
    assert readout(page) == before
    assert page.url == address
    tile(page, 5, 3, click=True)
    point(page, 33, click=True)
    away(page)
    assert readout(page).startswith("query patch 33 · layer 5 · head 3 ")
    settled(page)
    page.wait_for_function("() => location.search.includes('query=33')")
    assert asked(page) == {"layer=5", "head=3", "query=33"}
    page.get_by_role("button", name="[class]").click()
    away(page)
    assert readout(page).startswith("query [class] · layer 5 · head 3 ")


def test_no_message_goes_to_python_while_the_hand_moves(page: Page) -> None:
    show(page, "/heads?layer=2")
    before = page.evaluate("window.__traffic.messages")
    box = photo(page).bounding_box()
    assert box
    for share in (0.02, 0.98, 0.5):  # over the photo, and back
        page.mouse.move(box["x"] + share * box["width"], box["y"] + share * box["height"], steps=50)
    assert "query patch" in readout(page)
    for layer in range(1, 7):
        tile(page, layer, 2)
    assert page.evaluate("window.__traffic.messages") == before
    away(page)
    settled(page)
    assert page.evaluate("window.__traffic.messages") == before


def test_keys_work_from_the_first_moment(visit: Callable[..., Page]) -> None:
    page = visit(viewport={"width": 1280, "height": 720})
    show(page, "/heads?query=66")
    for key, words in (
        ("ArrowRight", "query patch 67 · layer 1 · head 1"),
        ("ArrowDown", "query patch 79 · layer 1 · head 1"),
        ("ArrowLeft", "query patch 78 · layer 1 · head 1"),
        ("ArrowUp", "query patch 66 · layer 1 · head 1"),
        ("l", "query patch 66 · layer 2 · head 1"),
        ("h", "query patch 66 · layer 2 · head 2"),
        ("Shift+H", "query patch 66 · layer 2 · head 1"),
        ("Shift+L", "query patch 66 · layer 1 · head 1"),
        ("Shift+L", "query patch 66 · layer 6 · head 1"),
        ("Escape", "query [class] · layer 6 · head 1"),
    ):
        page.keyboard.press(key)
        drawn(page)
        assert readout(page).startswith(words), key
    with been(page, "layer=2"):
        page.keyboard.press(" ")
    plays = "() => [...__hands.later.values()].some((wait) => 500 < wait && wait < 2000)"
    assert page.evaluate(plays), "the next step is due"
    page.keyboard.press(" ")
    drawn(page)
    assert not page.evaluate(plays), "no step is"


def test_reload_back_and_forward_keep_what_is_chosen(page: Page) -> None:
    show(page, "/heads?layer=3&head=2&query=7")
    page.keyboard.press("l")
    page.wait_for_function("() => location.search.includes('layer=4')")
    with answered(page):
        page.locator("a.box", has_text="Depth").click()
    assert asked(page) >= {"layer=4", "head=2", "query=7"}
    with answered(page):
        page.go_back()
    drawn(page)
    assert readout(page).startswith("query patch 7 · layer 4 · head 2 ")
    with answered(page):
        page.go_forward()
    assert readout(page).startswith("query patch 7 · on the photo: rollout")
    with answered(page):
        page.go_back()
    page.reload()
    settled(page)
    arrived(page)
    assert readout(page).startswith("query patch 7 · layer 4 · head 2 ")


def test_old_links_open_the_same_view(visit: Callable[..., Page]) -> None:
    page = visit(viewport={"width": 1280, "height": 720})
    show(page, "/heads?layer=3&head=2&query=7&mean=true&shows=is+looked+at+by&scale=per+head&pinned=true")
    assert readout(page).startswith("query patch 7 · layer 3 · mean of the heads is looked at most by ")
    for name in ("is looked at by", "own scale"):
        assert page.get_by_role("button", name=name, exact=True).get_attribute("aria-pressed") == "true"
    page.keyboard.press("l")
    page.wait_for_function("() => location.search.includes('layer=4')")
    assert asked(page) == {"layer=4", "head=2", "query=7", "mean=1", "shows=column", "scale=own"}


def test_two_heads_stand_beside_each_other(page: Any, weights: Any) -> None:
    show(page, "/heads?layer=5&head=2&query=40&moment=3")
    assert headline(page) == "3 of 3 Two heads beside each other: the same token asks, another answer."
    wall = page.locator("canvas.wall")
    box = wall.bounding_box()
    tiles = (box["height"] - 30) / box["height"]
    at(page, wall, (box["width"] / 2 + 12 + 3.5 * 64) / box["width"], tiles, click=True)
    page.wait_for_function("() => location.search.includes('beside=4')")
    assert asked(page) == {"layer=5", "head=2", "query=40", "moment=pair", "beside=4"}


def test_a_flat_map_says_so_and_offers_its_own_scale(page: Page) -> None:
    show(page, "/heads?model=vit_tiny_patch16_224&layer=5")
    note = page.locator(".flat")
    (times,) = re.findall(r"^Near-uniform attention: the largest weight is ([\d.]+) times uniform", note.inner_text())
    assert 1 < float(times) < 2
    note.get_by_role("button", name="Show it on its own scale").click()
    drawn(page)
    assert not note.is_visible()
    page.wait_for_function("() => location.search.includes('scale=own')")


def test_layers_come_on_demand_and_none_passes_for_another(page: Page) -> None:
    config = ViTConfig(image_size=192, patch_size=8, dim=64, depth=8, heads=8, mlp_dim=64, classes=10)
    names = ("image_size", "patch_size", "dim", "depth", "heads", "mlp_dim", "classes")
    own = "&".join(f"{name}={getattr(config, name)}" for name in names)
    show(page, f"/heads?model=build-your-own&{own}&layer=2&query=100&shows=column&scale=own", complete=False)
    loaded = build(config)
    trace = record(loaded.model, loaded.preprocess(open_image(first().data)))

    def says(layer: int) -> str:
        column = attention_weights(trace, layer)[0, :, 100]
        return f"by patch {column.argmax()}: {numbers.small(column.max())}, "

    assert says(1) in readout(page)
    said = noted(page, ".readout")
    for _ in range(5):
        page.keyboard.press("l")
    settled(page)
    assert next(it for it in said() if " · layer 7 · " in it) == "query patch 100 · layer 7 · head 1 · on its way."
    assert says(6) in readout(page)


def test_a_phone_in_the_dark(visit: Any) -> None:
    page = visit(viewport={"width": 390, "height": 844}, color_scheme="dark", has_touch=True)
    show(page, "/heads?layer=3&query=20")
    assert violations(page) == []
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth - main.clientWidth") <= 0
    photo(page).tap(position={"x": 100, "y": 100})
    drawn(page)
    assert not readout(page).startswith("query patch 20 ")
    wall = page.locator("canvas.wall").bounding_box()
    assert wall["x"] >= 0
    assert wall["x"] + wall["width"] <= 390
