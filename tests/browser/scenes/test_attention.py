"""Query, key, value and Depth under the hand: what is painted and said is the model's, and every part answers."""

from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, Position

from tests.browser.board import (
    DARK,
    GRID,
    LAYERS,
    TOKENS,
    asked,
    at,
    away,
    brightness,
    drawn,
    headline,
    photo,
    point,
    readout,
    show,
    still,
    texts,
    unlit,
)
from tests.browser.watch import settled, violations
from vitviz import numbers
from vitviz.measures import attention_weights, rollout
from vitviz.measures.attention import attention_by_layer, attention_steps
from vitviz.measures.classes import logit_lens
from vitviz.measures.heads import product_spread
from vitviz.trace import Trace
from vitviz.weights import load


@pytest.fixture
def page(stays: Page) -> Page:
    """That of a visitor who stays: what is told here hangs on the address alone."""
    return stays


def name(token: int) -> str:
    """What a token of the demo model is called on the board."""
    return f"patch {token}" if token else "[class]"


def signed(value: float) -> str:
    """A number as it stands after a sign."""
    return f"({numbers.small(value)})" if value < 0 else numbers.small(value)


def scene(page: Page, x: float, y: float, click: bool = False) -> None:
    """Point at a place of the scene's canvas, in shares of its width and height."""
    at(page, page.locator(".scene canvas.fill"), x, y, click)


def test_it_opens_on_the_strongest_key_in_pythons_numbers(page: Page, trace: Trace) -> None:
    show(page, "/query_key_value?layer=5&head=2&query=40")
    step = attention_steps(trace, 4, 1, 40)
    best = int(step.weights.argmax())
    assert readout(page) == (
        f"query patch 40 · key {name(best)}, weight {numbers.small(float(step.weights[best]))} · layer 5 · head 2"
    )


def test_every_divisor_has_its_weight_and_entropy(page: Page, trace: Trace) -> None:
    show(page, "/query_key_value?layer=5&head=2&query=40&moment=3")
    products = np.asarray(attention_steps(trace, 4, 1, 40).products, np.float64)
    rows = page.locator(".divide tbody tr")
    for row, divisor in enumerate((1, np.sqrt(32), 32)):
        weights = np.exp((products - products.max()) / divisor)
        weights /= weights.sum()
        largest, entropy, _ = rows.nth(row).locator("td").all_inner_texts()
        assert largest == numbers.small(float(weights.max()))
        if weights.max() < 0.999:  # below, the digits are those of rounding
            assert entropy == numbers.small(float(-(weights * np.log(weights)).sum()))
    assert rows.locator("button").all_inner_texts() == ["÷ 1", "÷ √32 = 5.66", "÷ 32"]
    before = readout(page)
    rows.nth(2).hover()
    drawn(page)
    assert readout(page) != before
    away(page)
    assert readout(page) == before
    rows.nth(2).locator("button").click()
    page.wait_for_function("() => location.search.includes('divide=all')")


def test_a_bar_is_a_key(page: Page, trace: Trace) -> None:
    show(page, "/query_key_value?layer=5&head=2&query=40&moment=2")
    step = attention_steps(trace, 4, 1, 40)
    before = readout(page)
    scene(page, 77.5 / TOKENS, 0.75)
    assert f"key patch 77, weight {numbers.small(float(step.weights[77]))} · " in readout(page)
    away(page)
    assert readout(page) == before
    scene(page, 0.5 / TOKENS, 0.75, click=True)
    away(page)
    assert "key [class], weight " in readout(page)
    page.wait_for_function("() => location.search.includes('key=class')")
    page.keyboard.down("Shift")
    point(page, 30)
    assert "key patch 30, weight " in readout(page)
    page.keyboard.up("Shift")
    page.get_by_role("button", name="[class]").click()
    away(page)
    assert readout(page).startswith("query [class] · key [class], ")


def test_moments_are_turned_by_the_clickers_keys(page: Page) -> None:
    show(page, "/query_key_value?layer=2")
    seen = [headline(page)]
    for _ in range(4):
        page.keyboard.press("PageDown")
        drawn(page)
        seen.append(headline(page))
    assert [it.partition(" Th")[0].split(" ")[0] for it in seen] == ["1", "2", "3", "4", "5"]
    assert len(set(seen)) == 5
    page.keyboard.press("PageUp")
    drawn(page)
    assert headline(page) == seen[3]


def test_a_head_of_the_output_is_chosen_by_its_part(page: Page) -> None:
    show(page, "/query_key_value?layer=2&head=1&moment=5")
    scene(page, 0.6, 0.12, click=True)
    away(page)
    assert readout(page).endswith("layer 2 · head 3")
    page.wait_for_function("() => location.search.includes('head=3')")


def test_the_photo_is_lit_by_the_rollout_of_the_layer(page: Page, trace: Trace) -> None:
    show(page, "/depth?query=50&through=3")
    away(page)
    rows = rollout(trace)[:, 50]
    others = np.delete(np.arange(1, TOKENS), 49)
    light = np.sqrt(np.minimum(1, rows[2, 1:] / rows[:, others].max()))
    assert readout(page) == (
        f"query patch 50 · on the photo: rollout through layer 3 of 6; "
        f"{numbers.small(100 * float(rows[2, 50]))} % comes from patch 50 itself"
    )
    lit = brightness(page)
    dim, far = unlit(page, 50)
    np.testing.assert_allclose((lit / dim)[far], (1 - DARK * (1 - light))[far], atol=0.02)


def test_a_tile_is_the_layer_that_is_gone_through(page: Page) -> None:
    show(page, "/depth?query=50")
    before = readout(page)
    assert "rollout through layer 1 of 6" in before
    scene(page, 4.4 / 6, 0.15)
    assert "rollout through layer 5 of 6" in readout(page)
    away(page)
    assert readout(page) == before
    scene(page, 4.4 / 6, 0.15, click=True)
    page.wait_for_function("() => location.search.includes('through=5')")
    page.keyboard.press("l")
    drawn(page)
    away(page)
    assert "rollout through layer 6 of 6" in readout(page)
    point(page, 7)
    assert readout(page).startswith("query patch 7 ")
    page.get_by_role("button", name="[class]").hover()
    drawn(page)
    assert readout(page).startswith("query [class] ")


def test_a_dot_of_the_clouds_says_its_numbers_and_opens_its_head(page: Page, trace: Trace) -> None:
    show(page, "/depth?moment=2&layer=3&head=2")
    found = attention_by_layer(trace)
    distance, entropy = (numbers.small(float(values[2, 1])) for values in (found.distance, found.entropy))
    assert f"Layer 3, head 2: distance {distance} patches, entropy {entropy} nats" in readout(page)
    canvas = page.locator(".scene canvas.fill")
    box = canvas.bounding_box()
    assert box
    room = (box["height"] - 10) / 2
    top, tall, unit = 30, room - 62, (box["width"] - 64) / 6.5
    most = max(found.uniform_distance, float(found.distance.max())) * 1.06
    across = 50 + 4.75 * unit + (0 - 1.5) * min(14, unit / 5)
    down = top + tall * (1 - float(found.distance[4, 0]) / most)
    scene(page, across / box["width"], down / box["height"], click=True)
    page.wait_for_url("**/heads?*")
    settled(page)
    drawn(page)
    assert asked(page) >= {"layer=5"}
    assert " · layer 5 · head 1 " in readout(page)


def test_the_class_tokens_journey_has_no_other_query(page: Page, trace: Trace) -> None:
    show(page, "/depth?moment=3&query=50&through=6")
    assert readout(page).startswith("query [class] · on the photo: rollout through layer 6 of 6")
    point(page, 7, click=True)
    assert readout(page).startswith("query [class] ")
    assert f"{numbers.small(100 * float(rollout(trace)[5, 0, 0]))} % comes from [class] itself" in readout(page)
    table, labels = logit_lens(trace), load("demo").labels
    said = texts(page).split("\n")
    for layer in range(1, LAYERS + 1):
        best = int(table[layer].argmax())
        after = said[said.index(f"after layer {layer}") + 1]
        assert after == f"{labels[best]} {numbers.small(float(table[layer, best]))}"
    assert attention_weights(trace, 0).shape[-1] == TOKENS


@pytest.mark.parametrize("path", ["/query_key_value?layer=3&query=20", "/depth?layer=3&query=20"])
def test_on_a_phone_a_tap_chooses_and_nothing_is_cut(visit: Callable[..., Page], path: str) -> None:
    page = visit(viewport={"width": 390, "height": 844}, color_scheme="dark", has_touch=True)
    show(page, path)
    assert violations(page) == []
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth - main.clientWidth") <= 0
    box = photo(page).bounding_box()
    assert box
    photo(page).tap(position=Position(x=box["width"] * 4.5 / GRID, y=box["height"] * 2.5 / GRID))
    drawn(page)
    assert readout(page).startswith("query patch 29 ")


def test_a_component_of_q_k_and_v_is_pointed_at_in_all_three(page: Page, trace: Trace) -> None:
    show(page, "/query_key_value?layer=5&head=2&query=40&key=77&moment=2&component=38")
    step = attention_steps(trace, 4, 1, 40)
    painted = texts(page)
    q, k = float(step.q[5]), float(step.keys[77, 5])
    assert f"component 6: {numbers.small(q)} · {signed(k)} = {numbers.small(q * k)}" in painted
    assert f"patch 77 has {numbers.small(float(step.products[77]))}" in painted
    scene(page, 2.5 / 32, 0.1)
    assert f"component 3: {numbers.small(float(step.q[2]))} · " in texts(page)
    away(page)
    assert "component 6: " in texts(page)
    scene(page, 2.5 / 32, 0.1, click=True)
    page.wait_for_function("() => location.search.includes('component=35')")
    page.keyboard.press("PageUp")
    away(page)
    assert f"q: what it asks for. q₃ = {numbers.small(float(step.q[2]))}" in texts(page)


def test_the_scores_spread_as_pythons_do(page: Page, trace: Trace) -> None:
    show(page, "/query_key_value?layer=5&head=2&moment=3")
    deviation = float(product_spread(trace, 4).deviation[1])
    said = f"standard deviation {numbers.small(deviation)}, divided {numbers.small(deviation / np.sqrt(32))}"
    assert said in " ".join(texts(page).split("\n"))


def test_the_sum_has_the_largest_values_and_the_chosen_one(page: Page, trace: Trace) -> None:
    show(page, "/query_key_value?layer=5&head=2&query=40&moment=4&key=77")
    still(page)
    weights = attention_steps(trace, 4, 1, 40).weights
    painted = texts(page)
    for key in [*np.argsort(-weights)[:3], 77]:
        assert f"{numbers.small(float(weights[key]))} · v of {name(int(key))}" in painted
    assert "all 141 others together" in painted
