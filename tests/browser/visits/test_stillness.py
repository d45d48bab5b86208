"""Nothing moves by itself: while a page loads, and when it changes; and the board is there in every frame."""

from contextlib import ExitStack
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.frame import open_board, open_sidebar, rest
from tests.browser.pages import path_of
from tests.browser.probe import MOST_SHIFT, PROBE, tab
from tests.browser.server import Server
from tests.browser.watch import answered, context_of, open_page
from vitviz.pages import CHAPTERS, FIRST, ON_BOARD, PAGES

TOGETHER = 4  # visitors who load a page at the same time
LED = [f"/{page}lesson=what_a_head_looks_at&step=2" for page in ("heads?layer=6&", "growth?")]  # by a lesson
SCREENS = {"laptop": {"width": 1280, "height": 720}, "phone": {"width": 390, "height": 844}}


# Each message of the server's comes a few frames after the one before, as it does to a browser that is busy.
SLOWLY = """
    let last = 0;
    window.WebSocket = class extends WebSocket {
        constructor(...args) {
            super(...args);
            this.addEventListener("message", (event) => {
                if (!event.isTrusted) return;
                event.stopImmediatePropagation();
                last = Math.max(performance.now(), last + 80);
                setTimeout(() => this.dispatchEvent(new MessageEvent("message", event)), last - performance.now());
            });
        }
    };
"""


@pytest.mark.long
@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_shifts_while_a_newcomer_loads_a_page(browser: Any, server: Server, screen: str) -> None:
    """The first page of each chapter, in a browser that has nothing of the app; test_every_page.py has them all."""
    scores = {}
    with tab(browser, server, viewport=SCREENS[screen]) as page:
        open_page(page)  # the engine has started then
    paths = [*(path_of(entries[0].stem) for entries in CHAPTERS.values()), *LED]
    for first in range(0, len(paths), TOGETHER):
        with ExitStack() as tabs:
            pages = {
                path: tabs.enter_context(tab(browser, server, viewport=SCREENS[screen]))
                for path in paths[first : first + TOGETHER]
            }
            for path, page in pages.items():
                page.goto(path, wait_until="commit")
            for path, page in pages.items():
                rest(page)
                scores[path] = page.evaluate("() => __probe.shift")
    assert scores.keys() == {*paths}
    assert {path: score for path, score in scores.items() if score > MOST_SHIFT} == {}


def test_nothing_shifts_on_a_phone_that_hears_one_word_at_a_time(browser: Any, server: Server) -> None:
    scores = {}
    for path in ("/", "/depth", "/intervene"):
        with tab(browser, server, viewport=SCREENS["phone"]) as page:
            page.add_init_script(SLOWLY)
            open_page(page, path)
            rest(page)
            scores[path] = page.evaluate("() => __probe.shift")
    assert {path: score for path, score in scores.items() if score > MOST_SHIFT / 2} == {}


@pytest.mark.long
def test_nothing_shifts_and_the_board_stays_when_the_page_changes(browser: Any, server: Server) -> None:
    scores, gone = {}, {}
    with tab(browser, server, reduced_motion="reduce") as page:
        open_page(page)
        for entry in [*list(PAGES.values())[1:], FIRST]:
            page.evaluate("() => { __probe.shift = 0; __probe.without.photo = 0; }")
            if not entry.on_board:
                page.locator(".strip summary").click()
            page.locator(f'.strip a[data-stem="{entry.address}"]').click()
            rest(page)
            scores[entry.stem] = page.evaluate("() => __probe.shift")
            gone[entry.stem] = page.evaluate("() => __probe.without.photo")
        assert page.evaluate("() => __probe.without.strip") == 0
    assert {stem: score for stem, score in scores.items() if score > MOST_SHIFT} == {}
    order = [entry.stem for entry in PAGES.values()]
    walked = [after for before, after in pairwise(order) if {before, after} <= {*ON_BOARD}]  # both have a photo
    assert {stem: gone[stem] for stem in walked} == dict.fromkeys(walked, 0)


def test_nothing_shifts_when_code_comes_later_or_at_once(browser: Any, server: Server) -> None:
    scores: dict[str, float] = {}
    with tab(browser, server, reduced_motion="reduce") as page:
        open_page(page)
        for before, after in 2 * list(pairwise(ON_BOARD.values())):  # at the second visit the code is there
            if not (before.folder / "later.js").is_file():
                continue
            page.locator(f'.strip a[data-stem="{after.address}"]').click()
            rest(page)
            page.evaluate("() => { __probe.shift = 0; }")
            page.keyboard.press("PageUp")  # to its last moment
            page.wait_for_function("stem => __vitviz_drawn.page === stem", arg=before.address)
            rest(page)
            scores[before.stem] = max(scores.get(before.stem, 0.0), page.evaluate("() => __probe.shift"))
    assert len(scores) > 1
    assert {stem: score for stem, score in scores.items() if score > MOST_SHIFT} == {}


def test_a_scene_that_is_there_before_python_answers_can_be_drawn(page: Page) -> None:
    open_board(page, "/patch_grid?moment=5")
    rest(page)
    page.evaluate(
        """() => {
            const place = document.querySelector(".st-key-board-place [data-testid=stBidiComponentIsolated]");
            const look = () => {
                globalThis.__refused ||= !place.shadowRoot.querySelector(".cannot").hidden;
                requestAnimationFrame(look);
            };
            look();
        }"""
    )
    for key in ("PageDown", "PageUp", "PageDown", "PageUp"):
        page.keyboard.press(key)
        rest(page)
    assert not page.evaluate("() => globalThis.__refused")


def test_the_sidebar_keeps_its_height_wherever_the_picture_comes_from(page: Page) -> None:
    open_board(page)
    open_sidebar(page)
    places = []
    for source in ("Upload", "Camera", "Samples"):
        with answered(page):
            page.get_by_test_id("stSidebar").get_by_role("radio", name=source).click()
        places.append(page.get_by_role("combobox", name="Model").bounding_box())
    assert places[0] == places[1] == places[2]


def test_no_part_of_the_first_page_is_asked_for_in_vain(browser: Any, server: Server) -> None:
    """Streamlit asks the address of a page for its server first, where nobody answers."""
    with context_of(browser, server.url) as context:
        context.add_init_script(PROBE)
        page, refused = context.new_page(), []
        page.on("response", lambda answer: refused.append(answer.url) if answer.status >= 400 else None)
        for stem in ("overview", "heads", "growth"):
            open_page(page, path_of(stem))
        assert refused == []
