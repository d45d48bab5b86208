"""The frame of the board: one picture that stays, one selection in the address, keys, links, drawers, touch."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.frame import (
    choose_sample,
    drawn,
    open_board,
    open_sidebar,
    readout,
    rest,
    stem,
    turn,
)
from tests.browser.server import Server
from tests.browser.watch import answered, context_of, open_page, settled, violations
from vitviz.ui.board.scenes import SCENES
from vitviz.ui.navigation import ENTRIES

VIEW = "layer=3&head=2&query=40&key=17"
CHOSEN = "query patch 40 · layer 3 · head 2"
ORDER = sorted((entry.address for entry in ENTRIES), key=lambda address: (address or "overview") not in SCENES)


def test_one_board_over_ten_changes_of_the_page(page: Page) -> None:
    open_board(page)
    page.evaluate("() => { window.__board = document.querySelector('.st-key-board-place') }")
    page.evaluate(
        """() => {
            window.__canvas = [...document.querySelectorAll("*")].flatMap((it) =>
                it.shadowRoot ? [...it.shadowRoot.querySelectorAll(".photo canvas")] : [])[0];
            window.__gone = 0;
            const look = () => { window.__gone += !window.__canvas.isConnected; requestAnimationFrame(look) };
            look();
        }"""
    )
    for to in ("patch_grid", "heads", "class_head", "", "depth", "query_key_value", "heads", "patch_embedding"):
        page.locator(f'.strip a[data-stem="{to}"]').click()
        assert drawn(page)["page"] == to, "the board moves before Python has answered"
        rest(page)
    for to in ("Growth", "Parameters"):
        page.locator(".strip summary").click()
        page.locator(".strip .menu a", has_text=to).click()
        rest(page)
    assert page.evaluate("() => window.__gone") == 0
    assert page.evaluate("() => window.__board === document.querySelector('.st-key-board-place')")


def test_the_clickers_keys_walk_all_moments_and_pages_to_the_end_and_back(page: Page) -> None:
    open_board(page)
    walked = []
    while True:
        walked.append((stem(page), int(page.evaluate("() => __vitviz_drawn.moment"))))
        before = page.url
        turn(page)
        assert page.get_by_test_id("stException").all_inner_texts() == []
        if page.url == before:
            break
    assert list(dict.fromkeys(place for place, _ in walked)) == ORDER
    for place in SCENES:
        moments = [moment for at, moment in walked if (at or "overview") == place]
        assert moments == list(range(len(moments)))
    back = [walked[-1]]
    for _ in range(12):
        turn(page, "PageUp")
        back.append((stem(page), int(page.evaluate("() => __vitviz_drawn.moment"))))
    assert back == walked[: -len(back) - 1 : -1]


def test_next_back_forward_and_reload_keep_the_selection_exactly(page: Page) -> None:
    open_board(page, f"/heads?sample=left&{VIEW}")
    expect(page.locator(".readout")).to_contain_text(CHOSEN)
    page.locator('.strip a[data-stem="depth"]').click()
    rest(page)
    assert stem(page) == "depth"
    page.keyboard.press("h")
    rest(page)
    on = page.url
    assert {"layer=3", "head=3", "query=40", "sample=left"} <= set(on.partition("?")[2].split("&"))
    page.go_back()
    rest(page)
    assert stem(page) == "heads"
    assert CHOSEN in readout(page)
    page.go_forward()
    rest(page)
    assert page.url == on
    page.reload(wait_until="domcontentloaded")
    settled(page)
    assert page.url == on
    page.locator(".strip summary").click()
    page.locator(".strip .menu a", has_text="Growth").click()
    rest(page)
    page.go_back()
    rest(page)
    page.locator('.strip a[data-stem="heads"]').click()
    rest(page)
    assert "query patch 40 · layer 3 · head 3" in readout(page)


OLD_LINKS = {
    "heads?layer=3&head=2&query=40": "query patch 40 · layer 3 · head 2",
    "heads?layer=6&head=4&query=class": "query [class] · layer 6 · head 4",
    "heads?query=class": "query [class] · layer 1 · head 1",
    "heads?layer=2&mean=1": "layer 2 · mean",
    "heads?patch=7": "query patch 7 ·",
    "heads?layer=99&head=x&query=-1": "query [class] · layer 1 · head 1",
    "heads?sample=left&layer=5": "layer 5",
    "heads?model=vit_tiny_patch16_224&layer=12&head=3&query=196": "query patch 196 · layer 12 · head 3",
    "patch_grid?patch=1": "patch 1 ",
    "patch_grid?patch=144&sample=left": "patch 144",
    "patch_grid?query=30": "patch 30",
    "patch_embedding?patch=30&number=5": "component=5&query=30",
    "patch_embedding?number=128": "component=128",
    "position_embedding?patch=66": "query=66",
    "query_key_value?layer=3&head=2&query=40&key=class": "key=class",
    "query_key_value?query=class&key=40": "key=40",
    "depth?through=3&query=70": "through=3",
    "encoder_block?layer=4&query=12": "layer=4",
    "class_head?after=2": "after=2",
    "class_head?after=0&sample=left": "after=0",
}


def test_old_links_open_the_same_view(page: Page) -> None:
    assert len(OLD_LINKS) == 20
    for link, told in OLD_LINKS.items():
        open_board(page, f"/{link}")
        if "=" in told:
            asked = set(page.url.partition("?")[2].split("&"))
            assert set(told.split("&")) <= asked, link
        else:
            expect(page.locator(".readout"), link).to_contain_text(told)
        assert not {"patch", "number"} & set(re.findall(r"[?&](\w+)=", page.url)), link


def test_a_sample_of_the_sidebar_keeps_layer_head_and_query(page: Page) -> None:
    open_board(page, f"/heads?{VIEW}")
    before = drawn(page)["digest"]
    choose_sample(page, 3)
    assert drawn(page)["digest"] != before
    assert CHOSEN in readout(page)
    assert {"layer=3", "head=2", "query=40"} <= set(page.url.partition("?")[2].split("&"))


def test_what_is_typed_is_no_key(page: Page) -> None:
    open_board(page, "/heads?model=build-your-own")
    open_sidebar(page)
    before = page.url
    page.get_by_role("combobox", name="Model").click()
    page.keyboard.type("lhfdxs ")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    page.get_by_role("spinbutton", name="Seed").click()
    page.keyboard.type("lhd")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("PageDown")
    shown = drawn(page)
    assert (shown["page"], shown["moment"]) == ("heads", 0)
    assert "layer 1 · head 1" in readout(page)
    assert page.locator(".help").is_hidden()
    assert [name for name in ("layer", "head", "open", "moment") if f"{name}=" in page.url] == []
    assert before.partition("?")[0] == page.url.partition("?")[0]


def test_a_link_of_the_strip_opens_in_a_tab_of_its_own(page: Page) -> None:
    open_board(page, "/heads")
    with page.context.expect_page() as tab:
        page.locator('.strip a[data-stem="depth"]').click(modifiers=["ControlOrMeta"])
    assert tab.value.url.endswith("/depth")
    tab.value.close()
    assert stem(page) == "heads"


def test_a_tap_chooses_and_a_swipe_scrolls(visit: Any) -> None:
    page = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    open_board(page, "/heads")
    box = page.locator(".photo canvas").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] * 0.3, box["y"] + box["height"] * 0.3)
    rest(page)
    assert "query=40" in page.url
    main = page.get_by_test_id("stMain")
    touch = page.context.new_cdp_session(page)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.9
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 16):
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y - 10 * step}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(300)
    assert main.evaluate("main => main.scrollTop") > 100
    rest(page)
    assert "query=40" in page.url


@pytest.mark.parametrize(("key", "name"), [("f", "formula"), ("x", "code"), ("d", "details")])
def test_a_drawer_opens_and_closes_by_key_button_and_escape(page: Page, key: Any, name: Any) -> None:
    open_board(page, "/patch_grid")
    drawer = page.locator(".st-key-drawer")
    button = page.locator(".drawers button", has_text=name)
    for open_it, close_it in (
        (lambda: page.keyboard.press(key), lambda: page.keyboard.press(key)),
        (lambda: page.keyboard.press(key), lambda: page.keyboard.press("Escape")),
        (button.click, lambda: page.keyboard.press("Escape")),
    ):
        with answered(page):
            open_it()
        expect(drawer).to_be_visible()
        assert f"open={name}" in page.url
        expect(button).to_have_attribute("aria-pressed", "true")
        with answered(page):
            close_it()
        expect(drawer).to_have_count(0)
        assert "open=" not in page.url


def test_no_page_of_the_walk_asks_for_plotly_before_its_details_are_opened(page: Page) -> None:
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    open_board(page)
    while stem(page) != "tensor_shapes":
        turn(page)
        assert [url for url in asked if "plotly" in url.lower()] == [], stem(page)
        if stem(page) == "class_head":
            break
    with answered(page):
        page.keyboard.press("d")
    page.locator("[data-testid=stPlotlyChart] .main-svg").first.wait_for()
    assert [url for url in asked if "plotly" in url.lower()]


@pytest.mark.parametrize("place", SCENES)
def test_nothing_is_sent_while_the_hand_moves(page: Any, place: Any) -> None:
    open_board(page, f"/{'' if place == 'overview' else place}?query=40")
    rest(page)
    sent = "() => window.__traffic.messages"
    before, frames = page.evaluate(sent), drawn(page)["count"]
    for selector in (".photo canvas", ".scene"):
        box = page.locator(selector).bounding_box()
        for step in range(30):
            share = step / 29
            page.mouse.move(box["x"] + box["width"] * share, box["y"] + box["height"] * (0.2 + 0.6 * share))
    assert drawn(page)["count"] > frames
    assert page.evaluate(sent) == before


def test_who_asks_for_less_motion_gets_none(visit: Any) -> None:
    page = visit(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    open_board(page, "/patch_grid")
    rest(page)
    page.keyboard.press("PageDown")
    drawn(page)
    at = drawn(page)["count"]
    page.wait_for_timeout(250)
    assert drawn(page)["count"] - at <= 2


def test_the_keys_are_shown_and_put_away(page: Page) -> None:
    open_board(page, "/heads")
    button = page.locator(".drawers button", has_text="keys")
    button.click()
    help = page.get_by_role("dialog")
    expect(help).to_contain_text("next and previous moment, then page")
    assert violations(page) == []
    page.keyboard.press("l")
    assert "layer 1" in readout(page)
    page.keyboard.press("Escape")
    expect(help).to_be_hidden()
    expect(button).to_be_focused()
    page.keyboard.press("?")
    expect(help).to_be_visible()
    page.keyboard.press("?")
    expect(help).to_be_hidden()


def test_what_a_screen_reader_hears(page: Page) -> None:
    open_board(page, "/heads?query=40")
    strip = page.get_by_role("navigation", name="Stages of the model")
    expect(strip.get_by_role("link")).to_have_count(len(SCENES))
    expect(strip.locator("[aria-current=page]")).to_have_text(re.compile("Heads"))
    headline = page.get_by_role("heading", level=1)
    expect(headline).to_have_attribute("aria-live", "polite")
    expect(page.get_by_role("img", name="patch 40 is chosen")).to_be_visible()
    turn(page)
    expect(headline).to_contain_text("2 of ")


def test_a_photo_that_is_dropped_on_the_board_is_shown(page: Page) -> None:
    open_board(page, f"/heads?{VIEW}")
    before = drawn(page)["digest"]
    carried = page.evaluate_handle(
        """async () => {
            const canvas = new OffscreenCanvas(300, 200);
            canvas.getContext("2d").fillRect(0, 0, 150, 200);
            const carried = new DataTransfer();
            carried.items.add(new File([await canvas.convertToBlob()], "half.png", { type: "image/png" }));
            return carried;
        }"""
    )
    page.locator(".scene").dispatch_event("drop", {"dataTransfer": carried, "bubbles": True, "composed": True})
    page.wait_for_url(re.compile("picture=[0-9a-f]{64}"))
    rest(page)
    assert drawn(page)["digest"] != before
    assert CHOSEN in readout(page)


def test_a_browser_without_offscreen_canvases_is_told(browser: Any, server: Server) -> None:
    with context_of(browser, server.url) as context:
        context.add_init_script("delete globalThis.OffscreenCanvas")
        page = context.new_page()
        open_page(page, "/heads")
        expect(page.locator(".cannot")).to_contain_text("This browser lacks what the pictures are drawn with")
        with answered(page):
            page.keyboard.press("d")
        expect(page.locator(".st-key-drawer")).to_be_visible()


def test_on_paper_stand_photo_and_scene_without_controls(page: Page) -> None:
    open_board(page, "/heads")
    open_sidebar(page)
    page.emulate_media(media="print")
    expect(page.locator(".strip")).to_be_hidden()
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    expect(page.locator(".photo canvas")).to_be_visible()
    expect(page.locator(".sentence")).to_be_visible()


ODD = {
    "no classes": ("classes=0", "class_head"),
    "registers": ("registers=2", "heads"),
    "one head": ("heads=1", "heads"),
    "48 layers": ("depth=48", "depth"),
    "1,370 tokens": ("image_size=518&patch_size=14&depth=1&heads=1", "heads"),
}
SIZES = "model=build-your-own&image_size=32&patch_size=8&dim=24&depth=2&heads=3&mlp_dim=16&classes=3"


@pytest.mark.parametrize("odd", ODD)
def test_strip_and_foot_fit_models_of_other_shapes(page: Any, odd: Any) -> None:
    sizes, place = ODD[odd]
    asked = dict(part.split("=") for part in f"{SIZES}&{sizes}".split("&"))
    open_board(page, f"/{place}?{'&'.join(f'{name}={value}' for name, value in asked.items())}")
    assert page.get_by_test_id("stException").all_inner_texts() == []
    expect(page.locator(".strip a.box")).to_have_count(len(SCENES))
    cut = "all => all.filter((it) => it.scrollWidth > it.clientWidth + 1).map((it) => it.textContent)"
    assert page.locator(".strip a.box, .count, .sentence, .board").evaluate_all(cut) == []
    foot, screen = page.locator(".count").bounding_box(), page.viewport_size
    assert foot["y"] + foot["height"] <= screen["height"]
