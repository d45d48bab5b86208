"""The explorer under the hand: pixels and numbers against the model, pointer and keys, the link, and bad moments."""

import io
import re

import numpy as np
import pytest
from playwright.sync_api import Page

from tests.browser.watch import answered, open_page, settled, violations
from vitviz import numbers
from vitviz.config import ViTConfig
from vitviz.measures import attention_weights, rollout
from vitviz.trace import record
from vitviz.ui.explorer.messages import colours
from vitviz.ui.samples import samples
from vitviz.weights import build, load

TOKENS, GRID, LAYERS, HEADS = 145, 12, 6, 4
SHARED = 8 / TOKENS  # the shared scale's end

PIXELS = """(canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return { width: canvas.width, height: canvas.height, data: Array.from(data) };
}"""
KEEP_SOCKETS = """
    window.sent = 0;
    window.sockets = [];
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

LEFT_OF_TEXT = """(names) => Math.min(...[...names.children].map((name) => {
    const text = document.createRange();
    text.selectNodeContents(name);
    return text.getBoundingClientRect().left;
}))"""


@pytest.fixture(scope="module")
def truth():
    """fp32 weights [layer head q k] and rollouts [layer q k] of the demo model on the first two samples."""
    loaded = load("demo")
    traces = [record(loaded.model, loaded.preprocess(it.image)) for it in list(samples().values())[:2]]
    return [
        (np.stack([attention_weights(trace, layer) for layer in range(LAYERS)]), rollout(trace)) for trace in traces
    ]


def explore(page: Page, query: str = "") -> None:
    """Open the Heads page in a window that shows all of the explorer, and wait until it has drawn everything."""
    if page.viewport_size["width"] > 1000:
        page.set_viewport_size({"width": 1280, "height": 1700})
    open_page(page, f"/heads{query}")
    page.wait_for_function("() => globalThis.__vitviz?.drawn?.count > 0")
    drawn(page)


def drawn(page: Page) -> None:
    """Wait for the next frame but one: what was asked for is then on screen."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def choose(page: Page, layer: int, head: int, query: int, shows: str = "looks at") -> None:
    """Set the view by hand; layer, head and patch count from 1, and query 0 is the class token."""
    page.locator("[name=layer]").fill(str(layer))
    page.locator(f'[name=shows][value="{shows}"]').check(force=True)
    if shows != "rollout":
        page.locator("[name=head]").fill(str(head))
    page.locator("[data-area=picture]").press("Escape")
    if query:
        point(page, query)
    else:
        page.get_by_role("button", name="[class]").click()
    page.mouse.move(5, 5)
    drawn(page)


def point(page: Page, patch: int, click: bool = False) -> None:
    """Point at a patch of the picture, counted from 1."""
    box = page.locator("[data-area=picture]").bounding_box()
    row, column = divmod(patch - 1, GRID)
    at(page, "picture", (column + 0.5) / GRID, (row + 0.5) / GRID, click)
    assert box == page.locator("[data-area=picture]").bounding_box(), "the picture moved under the pointer"


def at(page: Page, area: str, x: float, y: float, click: bool = False) -> None:
    """Point at a place of an area, in shares of its width and height."""
    box = page.locator(f"[data-area={area}]").bounding_box()
    place = box["x"] + x * box["width"], box["y"] + y * box["height"]
    page.mouse.move(*place)
    if click:
        page.mouse.click(*place)
    drawn(page)


def steps(page: Page, selector: str) -> np.ndarray:
    """The steps of the colour scale that a canvas shows, -1 where it is empty: h w."""
    image = page.locator(selector).evaluate(PIXELS)
    rgba = np.array(image["data"], np.uint8).reshape(image["height"], image["width"], 4)
    place = {tuple(colour): step for step, colour in enumerate(colours().tolist())}
    flat = [place[tuple(rgb)] if alpha == 255 else -1 for *rgb, alpha in rgba.reshape(-1, 4).tolist()]
    return np.array(flat).reshape(rgba.shape[:2])


def expected(weights: np.ndarray, top: float = SHARED) -> np.ndarray:
    """The steps that the colour scale has for weights."""
    return np.minimum(255, np.round(255 * weights / top))


def close(shown: np.ndarray, weights: np.ndarray, top: float = SHARED) -> bool:
    """Whether steps are those of `weights`: one byte is off by up to √(a · row maximum) / 255, and both are rounded."""
    return bool(np.abs(shown - expected(weights, top)).max() <= 2 + np.sqrt(max(1, weights.max() / top)))


def sentence(page: Page) -> str:
    return page.locator("[data-sentence]").inner_text()


def said(page: Page) -> str:
    return page.locator("[data-value]").inner_text()


def held(page: Page) -> bool:
    """Whether the instrument says, in words and with its switch, that the query is pinned."""
    assert page.get_by_text("pinned · Esc lets go").is_visible() == page.locator("[name=pinned]").is_checked()
    return page.locator("[name=pinned]").is_checked()


def shown(page: Page) -> tuple[str, str]:
    """Layer and head, as their sliders say."""
    return page.locator("[data-layer]").inner_text(), page.locator("[data-head]").inner_text()


def asked(page: Page) -> set[str]:
    """What the link asks for."""
    return set(page.url.partition("?")[2].split("&"))


def thumbnail(page: Page, layer: int, head: int, patch: int, click: bool = False) -> None:
    """Point at a patch of a map of the wall; all three count from 1."""
    row, column = divmod(patch - 1, GRID)
    x, y = (layer - 1 + (column + 0.5) / (GRID + 1)) / LAYERS, (head - 1 + (row + 0.5) / (GRID + 1)) / (HEADS + 1)
    at(page, "wall", x, y, click)


def test_pixels_are_the_models(page, truth):
    explore(page)
    weights, after = truth[0]
    for layer, head, query, shows in (
        (1, 1, 0, "looks at"),
        (5, 3, 66, "looks at"),
        (3, 2, 10, "is looked at by"),
        (6, 4, 0, "is looked at by"),
        (6, 4, 100, "rollout"),
    ):
        choose(page, layer, head, query, shows)
        matrix = after[layer - 1] if shows == "rollout" else weights[layer - 1, head - 1]
        line = matrix[:, query] if shows == "is looked at by" else matrix[query]
        assert close(steps(page, ".matrix"), matrix)
        assert close(steps(page, ".overlay").ravel(), line[1:])


def test_the_wall_shows_all_layers_and_heads_of_one_query(page, truth):
    explore(page, "?query=50&layer=1&head=2")
    rows = truth[0][0][:, :, 50, 1:]
    wall = steps(page, ".maps").reshape(HEADS + 1, GRID + 1, LAYERS, GRID + 1)
    assert (wall[:, -1] == -1).all()
    assert (wall[:, :, :, -1] == -1).all()
    maps = wall[:, :-1, :, :-1].transpose(2, 0, 1, 3).reshape(LAYERS, HEADS + 1, -1)
    assert close(maps[:, :HEADS], rows)
    assert close(maps[:, HEADS], rows.mean(axis=1))
    page.locator('[name=scale][value="per head"]').check(force=True)
    drawn(page)
    top = rows[0, 1].max()
    assert close(steps(page, ".overlay").ravel(), rows[0, 1], top)
    factor = re.search(r"([\d.]+) × as bright as shared", page.locator("[data-scale]").inner_text())[1]
    assert float(factor) == pytest.approx(SHARED / top, rel=0.02)


def test_numbers_are_fp32_once_the_hand_rests(page, truth):
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
    coded = re.search(r"weight ≈ ([\d.]+) ", said(page))[1]
    assert abs(float(coded) - row[77]) <= row.max() / 255 + 0.0005
    settled(page)
    drawn(page)
    assert f"weight {numbers.small(row[77])} · " in said(page)
    page.mouse.move(5, 5)
    drawn(page)
    assert f"weight {numbers.small(row.max())} · rank 1 of 145" in said(page)


def test_the_pointer_asks_and_a_click_holds(page):
    explore(page)
    point(page, 20)
    assert "patch 20 (row 2, column 8) looks at" in sentence(page)
    assert said(page).startswith("most: ")
    at(page, "matrix", 30.5 / TOKENS, 90.5 / TOKENS)
    assert "patch 90 " in sentence(page)
    assert said(page).startswith("patch 30 ")
    page.locator('[name=shows][value="is looked at by"]').check(force=True)
    at(page, "matrix", 30.6 / TOKENS, 90.5 / TOKENS)
    assert "patch 30 (row 3, column 6) is looked at by" in sentence(page)
    assert said(page).startswith("patch 90 ")
    point(page, 33, click=True)
    point(page, 70)
    assert "patch 33 (row 3, column 9) is" in sentence(page)
    assert held(page)
    assert said(page).startswith("patch 70 ")
    settled(page)
    assert asked(page) == {"query=33", "pinned=true", "shows=is+looked+at+by"}
    page.keyboard.press("Escape")
    point(page, 71)
    assert "patch 71 (row 6, column 11) is" in sentence(page)
    assert not held(page)


def test_a_thumbnail_asks_while_pointed_at_and_a_click_chooses_it(page):
    explore(page, "?layer=2")
    before = steps(page, ".maps")
    thumbnail(page, 5, 3, patch=66)
    assert sentence(page).startswith("Layer 2 · head 1 · patch 66 ")
    assert page.locator(".lifted").inner_text() == "layer 5 · head 3"
    lifted = steps(page, ".lifted canvas")
    np.testing.assert_array_equal(lifted, before[2 * (GRID + 1) :, 4 * (GRID + 1) :][:GRID, :GRID])
    np.testing.assert_array_equal(steps(page, ".maps"), before)
    thumbnail(page, 5, 3, patch=66, click=True)
    assert sentence(page) == "Layer 5 · head 3 · [class] looks at …"
    np.testing.assert_array_equal(steps(page, ".overlay"), lifted)
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


def test_a_query_that_came_by_link_or_input_is_held(page):
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


def test_keys_move_query_layer_and_head(page):
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


def test_the_link_goes_both_ways_and_to_the_other_pages(page):
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


def test_another_picture_or_model_brings_its_own_maps(page, truth):
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


def test_a_hundred_moves_are_two_messages_and_a_lost_connection_none(page):
    page.add_init_script(KEEP_SOCKETS)
    explore(page, "?layer=2")
    before = page.evaluate("() => window.sent")
    page.locator("[data-area=picture]").evaluate(SWEEP)
    drawn(page)
    settled(page)
    assert 1 <= page.evaluate("() => window.sent") - before <= 2
    page.evaluate("() => window.sockets.forEach((socket) => socket.close())")
    picture = page.locator("[data-area=picture]")
    picture.press("l")
    picture.press("l")
    drawn(page)
    assert shown(page)[0] == "4 of 6"
    settled(page)
    drawn(page)
    assert shown(page)[0] == "4 of 6"
    page.evaluate("() => { window.lose = true; }")  # the next message, with its connection
    picture.press("l")
    page.wait_for_function("() => location.search.includes('layer=5')")
    settled(page)
    assert shown(page)[0] == "5 of 6"
    assert page.get_by_test_id("stException").count() == 0


def test_saved_numbers_are_those_on_screen(page, truth):
    explore(page, "?layer=5&head=3&query=66")
    matrix = truth[0][0][4, 2]
    arrays = np.load(io.BytesIO(saved(page, "NPZ", "demo-Cat-layer5-head3.npz")))
    assert np.abs(arrays["weights"] - matrix).sum(axis=1).max() / 2 < 0.01
    np.testing.assert_array_equal(arrays["grid"], [12, 12])
    np.testing.assert_allclose(arrays["looks_at_fp32"], matrix[66], rtol=1e-5)
    table = saved(page, "CSV", "demo-Cat-layer5-head3.csv").decode().splitlines()
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


def test_one_screen_of_a_hall_holds_the_instrument(page):
    open_page(page, "/heads?layer=5")
    page.wait_for_function("() => globalThis.__vitviz?.drawn?.count > 0")
    needed = ["[name=layer]", "[name=head]", ".readout", "[data-area=picture]", "[data-area=matrix]"]
    assert max(bottom(page, selector) for selector in needed) <= 720, "at first sight"
    page.get_by_test_id("stSidebarHeader").hover()
    page.get_by_role("button", name="Collapse sidebar").click()
    page.locator("[data-testid=stSidebar][data-collapsed=true]").wait_for(state="attached")
    page.locator(".explorer").evaluate("explorer => explorer.scrollIntoView()")
    drawn(page)
    header = bottom(page, "[data-testid=stHeader]")
    assert page.locator("[name=layer]").bounding_box()["y"] >= header
    assert max(bottom(page, selector) for selector in [*needed, "[data-scale]", "[data-matrix-scale]"]) <= 720
    assert page.locator("[data-area=picture]").bounding_box()["width"] > 480


def bottom(page: Page, selector: str) -> float:
    """Where an element ends, in pixels from the top of the window."""
    box = page.locator(selector).bounding_box()
    return box["y"] + box["height"]


def test_a_flat_panel_says_so_and_offers_its_own_scale(page):
    explore(page, "?model=vit_tiny_patch16_224&layer=5")
    note = page.locator("[data-flat]")
    words = re.search(r"^Near-uniform attention: the largest weight is ([\d.]+) × uniform", note.inner_text())
    assert 1 < float(words[1]) < 2
    assert f"{words[1]} × the uniform 0.0051" in said(page)
    assert np.ptp(steps(page, ".overlay")) < 32
    note.get_by_role("button", name="Show it on its own scale").click()
    drawn(page)
    assert not note.is_visible()
    assert steps(page, ".overlay").max() == 255
    settled(page)
    assert "scale=per+head" in page.url


def test_layers_come_on_demand_and_none_passes_for_another(page):
    config = ViTConfig(image_size=192, patch_size=8, dim=64, depth=8, heads=8, mlp_dim=64, classes=10)
    names = ("image_size", "patch_size", "dim", "depth", "heads", "mlp_dim", "classes")
    own = "&".join(f"{name}={getattr(config, name)}" for name in names)
    explore(page, f"?model=build-your-own&{own}&layer=2&query=100&shows=is+looked+at+by&scale=per+head")
    loaded = build(config)
    trace = record(loaded.model, loaded.preprocess(next(iter(samples().values())).image))

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


def test_a_phone_in_the_dark(visit):
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


def test_no_name_is_cut_beside_many_thumbnails(visit):
    page = visit(viewport={"width": 360, "height": 800})
    explore(page, "?model=build-your-own&image_size=32&patch_size=8&dim=24&depth=24&heads=12&mlp_dim=8&classes=2")
    names = page.locator(".names")
    for scrolled in (0, 200):
        page.locator(".scroll").evaluate("(scroll, left) => { scroll.scrollLeft = left; }", scrolled)
        assert names.inner_text().split() == [*map(str, range(1, 13)), "mean"]
        assert names.evaluate(LEFT_OF_TEXT) >= page.locator(".scroll").bounding_box()["x"]
