"""The frame of the board: one picture that stays, one selection in the address, links, and models of any shape."""

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

import vitviz.ui
from tests.browser.board import PIXELS, show
from tests.browser.frame import (
    choose_sample,
    drawn,
    open_board,
    readout,
    rest,
    stem,
    turn,
)
from tests.browser.server import serve
from tests.browser.watch import answered, context_of, settled

README = Path(__file__).parents[3] / "README.md"
VIEW = "layer=3&head=2&query=40&key=17"
CHOSEN = "query patch 40 · layer 3 · head 2"
# The app, whose board gets another key in Streamlit, and so is another one, with every press of a button.
APP = """
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from vitviz.ui.board.numbers import ROUTES
from vitviz.ui.server.browser_cookie import NameBrowsers

app = st.App(Path(__file__).with_name("main.py"), routes=ROUTES, middleware=[Middleware(NameBrowsers)])
"""
MOUNTED_ANEW = f"""
import runpy

import streamlit as st
from vitviz.ui.board import component
from vitviz.ui.server.turns import take_turns

take_turns()
if not hasattr(component, "mount_once"):
    component.mount_once = component.mount
number = st.session_state["number"] = st.session_state.get("number", 0) + st.session_state.get("again", False)
component.mount = lambda key: component.mount_once(key=f"board{{number}}")
runpy.run_path({str(Path(vitviz.ui.__file__).with_name("main.py"))!r})
st.button("Again", key="again")
"""


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


def test_next_back_forward_and_reload_keep_the_selection_exactly(page: Page) -> None:
    open_board(page, f"/heads?sample=left&{VIEW}")
    expect(page.locator(".readout")).to_contain_text(CHOSEN)
    page.locator('.strip a[data-stem="query_key_value"]').click()
    rest(page)
    assert stem(page) == "query_key_value"
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


CLICK_BOXES = """(stems) => {
    const boxes = (root) => [...root.querySelectorAll(".strip a.box"),
        ...[...root.querySelectorAll("*")].flatMap((it) => (it.shadowRoot ? boxes(it.shadowRoot) : []))];
    for (const stem of stems) boxes(document).find((it) => it.dataset.stem === stem).click();
}"""
PRESS_TWICE = """(key) => [1, 2].forEach(() =>
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })))"""


def test_pages_left_within_one_frame_are_in_the_history_and_run_once(page: Page) -> None:
    open_board(page, f"/heads?{VIEW}")
    runs = page.evaluate("__traffic.runs")
    page.evaluate(CLICK_BOXES, ["depth", "class_head", "query_key_value"])
    rest(page)
    assert stem(page) == drawn(page)["page"] == "query_key_value"
    assert page.evaluate("__traffic.runs") == runs + 1
    for before in ("class_head", "depth", "heads"):
        page.go_back()
        rest(page)
        assert stem(page) == drawn(page)["page"] == before
    assert CHOSEN in readout(page)


def test_back_within_the_frame_of_a_page_stays_where_it_was(page: Page) -> None:
    open_board(page, f"/heads?{VIEW}")
    before = page.url
    with answered(page):
        page.evaluate(f"() => {{ ({CLICK_BOXES})(['depth']); history.back(); }}")
    assert page.url == before
    assert drawn(page)["page"] == "heads"
    assert CHOSEN in readout(page)


def test_a_hand_that_is_further_than_the_page_stays_there(page: Page) -> None:
    open_board(page, "/query_key_value?moment=5")
    last = drawn(page)["moment"]
    page.evaluate(PRESS_TWICE, "PageDown")
    rest(page)
    assert last == "output"
    assert (stem(page), drawn(page)["moment"]) == ("heads", "matrix")
    assert "moment=matrix" in page.url


def test_python_hears_of_a_page_though_nothing_is_painted(page: Page) -> None:
    open_board(page, "/heads")
    page.evaluate("globalThis.requestAnimationFrame = () => 1")
    asked = page.evaluate("__traffic.runs")
    page.evaluate(CLICK_BOXES, ["depth"])
    page.wait_for_function("(asked) => __traffic.runs === asked + 1", arg=asked, polling=50)


OLD_LINKS = {
    "heads?layer=3&head=2&query=40": "query patch 40 · layer 3 · head 2",
    "heads?layer=6&head=4&query=class": "query [class] · layer 6 · head 4",
    "heads?query=class": "query [class] · layer 1 · head 1",
    "heads?layer=2&mean=1": "layer 2 · mean",
    "heads?patch=7": "query patch 7 ·",
    "heads?layer=99&head=x&query=-1": "query [class] · layer 1 · head 1",
    "heads?sample=left&layer=5&head=2&query=40": "query patch 40 · layer 5 · head 2",
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


def test_a_moment_goes_by_its_name_back_and_anew(page: Page) -> None:
    open_board(page, "/heads?moment=2")
    assert (drawn(page)["moment"], page.url.partition("?")[2]) == ("matrix", "moment=matrix"), "an old link"
    turn(page)
    page.wait_for_function("location.search === '?moment=pair'")
    page.locator('.strip a[data-stem="depth"]').click()
    settled(page)
    assert (drawn(page)["moment"], page.url.partition("?")[2]) == ("rollout", "")
    page.go_back()
    settled(page)
    assert (drawn(page)["moment"], page.url.partition("?")[2]) == ("pair", "moment=pair")
    open_board(page, page.url)
    assert drawn(page)["moment"] == "pair"
    open_board(page, "/heads?moment=journey")
    assert drawn(page)["moment"] == "wall"
    expect(page.get_by_test_id("stToast")).to_contain_text("there are only wall, matrix, pair")


def test_old_links_open_the_same_view(page: Page) -> None:
    assert len(OLD_LINKS) == 20
    assert set(re.findall(r"""localhost:8501/([^`"\s]+)""", README.read_text(encoding="utf-8"))) <= set(OLD_LINKS)
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


def test_a_link_of_the_strip_opens_in_a_tab_of_its_own(page: Page) -> None:
    open_board(page, "/heads")
    with page.context.expect_page() as tab:
        page.locator('.strip a[data-stem="depth"]').click(modifiers=["ControlOrMeta"])
    tab.value.wait_for_url("**/depth")
    tab.value.close()
    assert stem(page) == "heads"


def test_a_board_that_is_mounted_anew_draws_what_was_said_before(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(MOUNTED_ANEW)
    (tmp_path / "app.py").write_text(APP)
    with serve(tmp_path / "app.py") as server, context_of(browser, server.url) as context:
        page = context.new_page()
        show(page, "/heads?layer=3&head=2&query=40")
        before = page.locator(".board").element_handle()
        readout = page.locator(".readout").inner_text()
        picture = page.locator(".photo canvas").evaluate(PIXELS)
        page.evaluate("globalThis.__vitviz_drawn = undefined")
        with answered(page):
            page.get_by_role("button", name="Again").click()
        page.wait_for_function("() => globalThis.__vitviz_drawn?.digest")
        assert not before.evaluate("(board) => board.isConnected")
        expect(page.locator(".readout")).to_have_text(readout)
        assert page.locator(".scene canvas").count() > 0
        assert page.locator(".photo canvas").evaluate(PIXELS) == picture
        page.keyboard.press("l")
        expect(page.locator(".readout")).to_contain_text("layer 4")
