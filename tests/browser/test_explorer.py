"""The explorer under the hand: pixels and numbers against the model, pointer and keys, the link, and bad moments."""

import io
import re

import numpy as np
import pytest
from playwright.sync_api import Page

from tests.browser.explorer import (
    GRID,
    HEADS,
    LAYERS,
    SHARED,
    TOKENS,
    asked,
    at,
    choose,
    close,
    drawn,
    explore,
    held,
    point,
    said,
    sentence,
    shown,
    steps,
    thumbnail,
)
from tests.browser.watch import answered, settled
from vitviz import numbers
from vitviz.images import open_image
from vitviz.measures import attention_weights, rollout
from vitviz.trace import record
from vitviz.ui.samples import samples
from vitviz.weights import load

# Streamlit complains of what is sent while it has no server: here it is counted.
KEEP_SOCKETS = """
    window.sent = 0;
    window.refused = 0;
    window.sockets = [];
    const complain = console.error;
    console.error = (...words) => {
        if (/^Cannot send .* disconnected/.test(words.join())) window.refused++;
        else complain(...words);
    };
    window.WebSocket = class extends WebSocket {
        constructor(...args) { super(...args); window.sockets.push(this); }
        send(...args) {
            window.sent++;
            if (window.lose) this.close();
            else super.send(...args);
            window.lose = false;
        }
    };
"""

SWEEP = """(area) => {
    const { left, top } = area.getBoundingClientRect();
    for (let i = 0; i < 120; i++) {
        area.dispatchEvent(new PointerEvent("pointermove", { clientX: left + 10 + 3 * i, clientY: top + 100 + i }));
    }
}"""


Truth = list[tuple[np.ndarray, np.ndarray]]


@pytest.fixture(scope="module")
def truth() -> Truth:
    """fp32 weights [layer head q k] and rollouts [layer q k] of the demo model on the first two samples."""
    loaded = load("demo")
    traces = [record(loaded.model, loaded.preprocess(open_image(it.data))) for it in list(samples().values())[:2]]
    return [
        (np.stack([attention_weights(trace, layer) for layer in range(LAYERS)]), rollout(trace)) for trace in traces
    ]


def test_pixels_are_the_models(page: Page, truth: Truth) -> None:
    explore(page)
    weights, after = truth[0]
    for layer, head, query, shows in (
        (1, 1, 0, "row"),
        (5, 3, 66, "row"),
        (3, 2, 10, "column"),
        (6, 4, 0, "column"),
        (6, 4, 100, "rollout"),
    ):
        choose(page, layer, head, query, shows)
        matrix = after[layer - 1] if shows == "rollout" else weights[layer - 1, head - 1]
        line = matrix[:, query] if shows == "column" else matrix[query]
        assert close(steps(page, ".matrix"), matrix)
        assert close(steps(page, ".overlay").ravel(), line[1:])


def test_the_wall_shows_all_layers_and_heads_of_one_query(page: Page, truth: Truth) -> None:
    explore(page, "?query=50&layer=1&head=2")
    rows = truth[0][0][:, :, 50, 1:]
    wall = steps(page, ".maps").reshape(HEADS + 1, GRID + 1, LAYERS, GRID + 1)
    assert (wall[:, -1] == -1).all()
    assert (wall[:, :, :, -1] == -1).all()
    maps = wall[:, :-1, :, :-1].transpose(2, 0, 1, 3).reshape(LAYERS, HEADS + 1, -1)
    assert close(maps[:, :HEADS], rows)
    assert close(maps[:, HEADS], rows.mean(axis=1))
    page.locator('[name=scale][value="own"]').check(force=True)
    drawn(page)
    top = rows[0, 1].max()
    assert close(steps(page, ".overlay").ravel(), rows[0, 1], top)
    (factor,) = re.findall(r"([\d.]+) × as bright as shared", page.locator("[data-scale]").inner_text())
    assert float(factor) == pytest.approx(SHARED / top, rel=0.02)


def test_numbers_are_fp32_once_the_hand_rests(page: Page, truth: Truth) -> None:
    explore(page, "?layer=4&head=2&query=40&pinned=true")
    row = truth[0][0][3, 1, 40]
    point(page, 77)
    assert said(page) == (
        f"patch 77 (row 7, column 5), weight {numbers.small(row[77])} · rank {1 + (row > row[77]).sum()} of 145 · "
        f"{numbers.small(145 * row[77])} × the uniform 0.0069"
    )
    page.locator("[data-area=picture]").press("l")
    drawn(page)
    row = truth[0][0][4, 1, 40]
    (coded,) = re.findall(r"weight ≈ ([\d.]+) ", said(page))
    assert abs(float(coded) - row[77]) <= row.max() / 255 + 0.0005
    settled(page)
    drawn(page)
    assert f"weight {numbers.small(row[77])} · " in said(page)
    page.mouse.move(5, 5)
    drawn(page)
    assert f"weight {numbers.small(row.max())} · rank 1 of 145" in said(page)


def test_the_pointer_asks_and_a_click_holds(page: Page) -> None:
    explore(page)
    point(page, 20)
    assert "patch 20 (row 2, column 8) looks at" in sentence(page)
    assert said(page).startswith("most: ")
    at(page, "matrix", 30.5 / TOKENS, 90.5 / TOKENS)
    assert "patch 90 " in sentence(page)
    assert said(page).startswith("patch 30 ")
    page.locator('[name=shows][value="column"]').check(force=True)
    at(page, "matrix", 30.6 / TOKENS, 90.5 / TOKENS)
    assert "patch 30 (row 3, column 6) is looked at by" in sentence(page)
    assert said(page).startswith("patch 90 ")
    point(page, 33, click=True)
    point(page, 70)
    assert "patch 33 (row 3, column 9) is" in sentence(page)
    assert held(page)
    assert said(page).startswith("patch 70 ")
    settled(page)
    assert asked(page) == {"query=33", "pinned=true", "shows=column"}
    page.keyboard.press("Escape")
    point(page, 71)
    assert "patch 71 (row 6, column 11) is" in sentence(page)
    assert not held(page)


def test_a_thumbnail_asks_while_pointed_at_and_a_click_chooses_it(page: Page) -> None:
    explore(page, "?layer=2")
    before = steps(page, ".maps")
    thumbnail(page, 5, 3, patch=66)
    assert sentence(page).startswith("Layer 2 · head 1 · patch 66 ")
    assert page.locator(".preview").inner_text() == "layer 5 · head 3"
    preview = steps(page, ".preview canvas")
    np.testing.assert_array_equal(preview, before[2 * (GRID + 1) :, 4 * (GRID + 1) :][:GRID, :GRID])
    np.testing.assert_array_equal(steps(page, ".maps"), before)
    thumbnail(page, 5, 3, patch=66, click=True)
    assert sentence(page) == "Layer 5 · head 3 · [class] looks at …"
    np.testing.assert_array_equal(steps(page, ".overlay"), preview)
    thumbnail(page, 5, 3, patch=67)
    assert sentence(page) == "Layer 5 · head 3 · [class] looks at …"
    assert said(page).startswith("patch 67 ")
    thumbnail(page, 4, 1, patch=10)
    assert sentence(page).startswith("Layer 5 · head 3 · patch 10 ")
    page.mouse.move(5, 5)
    drawn(page)
    assert sentence(page) == "Layer 5 · head 3 · [class] looks at …"
    settled(page)
    assert asked(page) == {"layer=5", "head=3"}
    point(page, 33, click=True)
    thumbnail(page, 4, 1, patch=10)
    assert sentence(page) == "Layer 4 · head 1 · patch 33 (row 3, column 9) looks at …"
    assert said(page).startswith("patch 10 ")
    thumbnail(page, 6, 2, patch=50, click=True)
    assert shown(page) == ("6 of 6", "2 of 4")
    assert "patch 33 " in sentence(page)


def test_a_query_that_came_by_link_or_input_is_held(page: Page) -> None:
    explore(page, "?layer=2&query=40")
    point(page, 70)
    assert "patch 40 (row 4, column 4) looks at" in sentence(page)
    assert held(page)
    settled(page)
    assert "query=40" in page.url
    page.locator("[data-area=picture]").press("Escape")
    point(page, 71)
    assert "patch 71 (row 6, column 11) looks at" in sentence(page)
    assert not held(page)
    settled(page)
    assert asked(page) == {"layer=2", "query=71"}
    with answered(page):
        page.get_by_text("The exact view").click()
    with answered(page):
        page.get_by_test_id("stSlider").get_by_role("slider", name="Query token").press("ArrowRight")
    point(page, 20)
    assert "patch 72 (row 6, column 12) looks at" in sentence(page)
    assert held(page)


def test_keys_move_query_layer_and_head(page: Page) -> None:
    explore(page, "?query=66&pinned=true")
    picture = page.locator("[data-area=picture]")
    for key, name in (("ArrowRight", "67"), ("ArrowDown", "79"), ("ArrowLeft", "78"), ("ArrowUp", "66")):
        picture.press(key)
        drawn(page)
        assert f"patch {name} " in sentence(page)
    for key, now in (("l", ("2 of 6", "1 of 4")), ("h", ("2 of 6", "2 of 4")), ("Shift+H", ("2 of 6", "1 of 4"))):
        picture.press(key)
        drawn(page)
        assert shown(page) == now
    picture.press("Shift+L")
    picture.press("Shift+L")
    picture.press("Escape")
    drawn(page)
    assert shown(page)[0] == "6 of 6"
    assert not page.locator("[name=pinned]").is_checked()
    picture.press(" ")
    page.wait_for_function("() => __vitviz.drawn.layer === 1")
    picture.press(" ")
    settled(page)
    assert "pinned" not in page.url
    assert re.search(r"layer=[2-6]", page.url)


def test_the_keys_are_named_on_screen_and_to_screen_readers(page: Page) -> None:
    explore(page)
    assert (
        page.locator(".keys")
        .inner_text()
        .startswith(
            "Arrows move the query · L layer · H head, with Shift back · Space plays · a click pins, Esc unpins. ≈ is"
        )
    )
    assert page.locator(".keys kbd").all_inner_texts() == ["L", "H", "Space", "Esc"]
    picture = page.get_by_role("application")
    assert picture.get_attribute("aria-label") == (
        "The picture as the model sees it. Arrow keys move the query, Escape unpins it."
    )
    assert (page.locator("[data-area=wall]").get_attribute("aria-label") or "").endswith(
        "L changes the layer, H the head."
    )


def test_an_old_link_opens_the_same_view_under_its_address_of_today(page: Page) -> None:
    explore(page, "?layer=3&query=40&shows=is+looked+at+by&scale=per+head&pinned=true")
    assert sentence(page) == "Layer 3 · head 1 · patch 40 (row 4, column 4) is looked at by …"
    assert page.locator('[name=scale][value="own"]').is_checked()
    assert asked(page) == {"layer=3", "query=40", "shows=column", "scale=own", "pinned=true"}
    assert page.get_by_test_id("stToast").count() == 0


def test_the_link_goes_both_ways_and_to_the_other_pages(page: Page) -> None:
    explore(page, "?layer=3&head=2&query=7&mean=true")
    assert shown(page) == ("3 of 6", "all 4")
    with answered(page):
        page.locator("[data-area=picture]").press("l")
    assert "layer=4" in page.url
    with answered(page):
        page.get_by_text("The exact view").click()
    for key, layer in (("ArrowRight", 5), ("ArrowLeft", 4), ("ArrowRight", 5)):
        with answered(page):
            page.get_by_test_id("stSlider").get_by_role("slider", name="Layer").press(key)
        drawn(page)
        assert shown(page) == (f"{layer} of 6", "all 4")
    with answered(page):
        page.get_by_test_id("stMain").get_by_role("link", name="←").click()
    assert {"layer=5", "head=2", "query=7"} <= asked(page)
    with answered(page):
        page.get_by_test_id("stMain").get_by_role("link", name="→").click()
    drawn(page)
    assert shown(page) == ("5 of 6", "all 4")


def test_another_picture_or_model_brings_its_own_maps(page: Page, truth: Truth) -> None:
    explore(page, "?layer=5&head=1&query=40")
    before = page.evaluate("() => __vitviz.drawn.digest")
    page.locator(".st-key-sample button").nth(1).click()
    page.wait_for_function("(old) => __vitviz.drawn.digest !== old", arg=before)
    settled(page)
    drawn(page)
    row = truth[1][0][4, 0, 40, 1:]
    assert close(steps(page, ".overlay").ravel(), row)
    page.locator("[name=layer]").fill("6")
    model = page.get_by_role("combobox", name="Model")
    model.click()
    page.get_by_role("option", name="vit_tiny_patch16_224", exact=True).click()
    page.locator("[name=layer]").fill("4")
    page.get_by_text("untrained parameters").first.wait_for()
    settled(page)
    drawn(page)
    assert shown(page)[0].endswith(" of 12")
    assert page.locator("[data-title]").inner_text().startswith("197 × 197 weights")
    assert (steps(page, ".overlay") >= 0).all()


def test_a_hundred_moves_are_two_messages_and_what_a_connection_loses_is_sent_again(page: Page) -> None:
    page.add_init_script(KEEP_SOCKETS)
    explore(page, "?layer=2")
    before = page.evaluate("() => window.sent")
    picture = page.locator("[data-area=picture]")
    picture.evaluate(SWEEP)
    drawn(page)
    settled(page)
    assert 1 <= page.evaluate("() => window.sent") - before <= 2
    page.evaluate("() => { window.lose = true; }")  # the next message, with its connection
    picture.press("l")
    page.wait_for_function("() => location.search.includes('layer=3')")
    settled(page)
    assert shown(page)[0] == "3 of 6"
    away, waiting = True, []
    # What Streamlit asks for before it connects again.
    page.route("**/_stcore/*", lambda route: waiting.append(route) if away else route.continue_())
    page.evaluate("() => window.sockets.forEach((socket) => socket.close())")
    picture.press("l")
    page.wait_for_function("() => window.refused > 0")
    picture.press("l")
    drawn(page)
    assert shown(page)[0] == "5 of 6"
    away = False
    for route in waiting:
        route.continue_()
    page.wait_for_function("() => location.search.includes('layer=5')")
    settled(page)
    assert shown(page)[0] == "5 of 6"
    assert page.get_by_test_id("stException").count() == 0


def test_saved_numbers_are_those_on_screen(page: Page, truth: Truth) -> None:
    explore(page, "?layer=5&head=3&query=66")
    matrix = truth[0][0][4, 2]
    arrays = np.load(io.BytesIO(saved(page, "NPZ", "demo-Cat-layer5-head3.npz")))
    assert np.abs(arrays["weights"] - matrix).sum(axis=1).max() / 2 < 0.01
    np.testing.assert_array_equal(arrays["grid"], [12, 12])
    np.testing.assert_allclose(arrays["looks_at_fp32"], matrix[66], rtol=1e-5)
    table = saved(page, "CSV", "demo-Cat-layer5-head3.csv").decode().splitlines()
    assert table[0].startswith("query \\ key (one byte per weight: a row is at most 1.53 % off in all),")
    assert table[0].split(",")[1:4] == ["class", "patch 1", "patch 2"]
    read = np.array([[float(cell) for cell in line.split(",")[1:]] for line in table[1:]])
    np.testing.assert_allclose(read, arrays["weights"], rtol=1e-3)
    assert saved(page, "PNG", "demo-Cat-layer5-head3.png").startswith(b"\x89PNG")


def saved(page: Page, button: str, name: str) -> bytes:
    """What a button of the explorer saves, under the name it should have."""
    with page.expect_download() as download:
        page.get_by_role("button", name=button, exact=True).click()
    assert download.value.suggested_filename == name
    return download.value.path().read_bytes()
