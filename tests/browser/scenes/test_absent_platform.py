"""What a browser or a screen may lack: scenes work without it, or say so."""

from collections.abc import Callable

from playwright.sync_api import Browser, Page, expect

from tests.browser.board import arrived, photo, show
from tests.browser.frame import rest, walk
from tests.browser.server import Server
from tests.browser.watch import answered, context_of, open_page
from vitviz.pages import ON_BOARD

WITHOUT = """
    for (const name of ["Worker", "SharedWorker", "DecompressionStream", "CompressionStream", "WebGLRenderingContext",
        "WebGL2RenderingContext", "SharedArrayBuffer"]) delete globalThis[name];
    const context = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind.startsWith("webgl") ? null : context.call(this, kind, ...rest);
    };
"""
STEMS = ["" if stem == "overview" else stem for stem in ON_BOARD]


def test_the_walk_needs_no_webgl_no_workers_and_no_streams(browser: Browser, server: Server) -> None:
    with context_of(browser, server.url, viewport={"width": 1280, "height": 720}) as context:
        context.add_init_script(WITHOUT)
        page = context.new_page()
        show(page, "/?query=40&layer=2")
        for stem in walk(page, STEMS):
            arrived(page)
            assert not page.locator(".cannot").is_visible(), stem
            assert page.locator(".sentence").inner_text(), stem


def test_without_offscreen_canvases_every_scene_says_so_and_keeps_its_details(browser: Browser, server: Server) -> None:
    with context_of(browser, server.url, reduced_motion="reduce") as context:
        context.add_init_script("delete globalThis.OffscreenCanvas")
        page = context.new_page()
        open_page(page, "/")
        for _ in walk(page, STEMS):
            expect(page.locator(".cannot")).to_contain_text("This browser lacks what the pictures are drawn with")
            with answered(page):
                page.keyboard.press("d")
            expect(page.locator(".st-key-drawer")).to_be_visible()
            page.keyboard.press("d")
            rest(page)


def test_on_a_zoomed_screen_photo_and_scene_stand_beside_each_other(visit: Callable[..., Page]) -> None:
    page = visit(viewport={"width": 853, "height": 480}, device_scale_factor=1.5, reduced_motion="reduce")
    show(page, "/?query=40")
    for stem in walk(page, STEMS):
        arrived(page)
        assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth - main.clientWidth") <= 0, stem
        seen, scene = photo(page).bounding_box(), page.locator(".scene").bounding_box()
        assert seen
        assert scene
        assert seen["y"] < 200, stem
        assert scene["x"] >= seen["x"] + seen["width"], stem
