"""A page on paper: the layout of the screen, whole and light, without what is pressed, and with its address."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.board import drawn, show, texts
from tests.browser.watch import open_page, reach
from vitviz import __version__

LAPTOP: ViewportSize = {"width": 1280, "height": 720}
SHEET: ViewportSize = {"width": 1055, "height": 726}  # A4 that lies, at 96 dots an inch, less 9 mm of margin
PRESSED = (
    "[data-testid=stSidebar], [data-testid=stHeader], .strip, .moments, .drawers, .steps, .stButton,"
    ".stDownloadButton, [data-testid=stExpander] summary, .stPopover, .count-line .open"
)
# Pictures, tables and formulas that reach over the sheet, and what shows a part of what is in it; in shadow trees too.
CUT = """(sheet) => {
    const cut = [];
    const walk = (root) => {
        for (const it of root.querySelectorAll("*")) {
            if (it.shadowRoot) walk(it.shadowRoot);
            if (!it.checkVisibility({ visibilityProperty: true }) || it.closest("#js-plotly-tester")) continue;
            const { left, right, width } = it.getBoundingClientRect();
            const picture = it.matches("canvas, img, svg, table, pre, .katex-display") && width > 1;
            const scrolls = ["auto", "scroll"].includes(getComputedStyle(it).overflowY);
            const wide = it.matches("pre, .katex-display") && it.scrollWidth > it.clientWidth + 1;
            const beyond = it.localName === "table" && it.offsetWidth > it.parentElement.clientWidth + 1;
            if ((picture && (left < 0 || right > sheet)) || (scrolls && it.scrollHeight > it.clientHeight + 1) || wide
                || beyond)
                cut.push(`${it.localName}.${it.getAttribute("class") ?? ""} ${left} to ${right}`);
        }
    };
    walk(document.body);
    return cut;
}"""
SIZES = "all => all.map((it) => [it.offsetWidth, it.offsetHeight])"
OVER = """() => [...document.querySelectorAll(".st-key-board-place, [data-testid=stElementContainer]")]
    .filter((it) => it.offsetHeight > 1 && !it.closest(".st-key-carried"))
    .map((it) => [it, it.getBoundingClientRect()])
    .flatMap(([one, a], at, all) => all.slice(at + 1)
        .filter(([other, b]) => !one.contains(other) && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
            && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2)
        .map(([other]) => `${one.innerText.slice(0, 40)} | ${other.innerText.slice(0, 40)}`))"""


@pytest.fixture
def page(stays: Page) -> Iterator[Page]:
    """That of a visitor who stays, and who after each print is at the screen again."""
    yield stays
    stays.evaluate("dispatchEvent(new Event('afterprint'))")
    stays.emulate_media(media="screen")
    stays.set_viewport_size(LAPTOP)


def on_paper(page: Page) -> None:
    """What a browser does to print the page, up to the sheet."""
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    page.set_viewport_size(SHEET)
    drawn(page)


def whole(page: Page) -> None:
    """Nothing that is pressed is there, no picture is cut, and no two parts lie on each other."""
    expect(page.locator(PRESSED).locator("visible=true")).to_have_count(0)
    assert page.evaluate(CUT, SHEET["width"]) == []
    assert page.evaluate(OVER) == []


@pytest.mark.parametrize("stem", ["query_key_value", "heads", "depth", "encoder_block", "class_head"])
def test_a_scene_stands_on_one_sheet_as_on_the_screen(page: Page, stem: str) -> None:
    show(page, f"/{stem}?query=40")
    canvases = page.locator(".stage canvas")
    before = canvases.evaluate_all(SIZES)
    assert len(re.findall(rb"/Type /Page\b", page.pdf(prefer_css_page_size=True))) == 1
    shared = f"{'0a' * 32}-{'Ab_-' * 8}"
    page.evaluate("shared => history.replaceState({}, '', `${location.href}&picture=${shared}&room=QRST`)", shared)
    on_paper(page)
    whole(page)
    foot = page.evaluate("getComputedStyle(document.body, '::after').content")
    assert f"/{stem}?query=40" in foot
    assert "picture=" not in foot
    assert "room=" not in foot
    assert canvases.evaluate_all(SIZES) == before  # no picture is stretched
    for part in (".sentence", ".photo canvas", ".scene", ".count .here"):
        box = page.locator(part).first.bounding_box()
        assert box
        assert box["width"] > 10
        assert box["y"] + box["height"] <= SHEET["height"]
    expect(page.locator(".count .total")).to_have_text("1,235,344")


def test_of_a_phone_the_board_stands_on_one_sheet(visit: Callable[..., Page]) -> None:
    page = visit(viewport={"width": 390, "height": 844})
    show(page, "/heads?query=40")
    canvases = page.locator(".stage canvas")
    before = canvases.evaluate_all(SIZES)
    on_paper(page)
    whole(page)
    assert canvases.evaluate_all(SIZES) == before
    count = page.locator(".count").bounding_box()
    assert count
    assert count["y"] + count["height"] <= SHEET["height"]


def test_an_open_drawer_stands_below_the_board_and_dark_is_printed_light(visit: Callable[..., Page]) -> None:
    page = visit(viewport=LAPTOP, color_scheme="dark")
    show(page, "/heads?query=40&open=formula")
    expect(page.locator(".katex-display")).to_have_count(2)
    on_paper(page)
    whole(page)
    board, drawer = (page.locator(part).bounding_box() for part in (".board", ".st-key-drawer"))
    assert board
    assert drawer
    assert drawer["y"] >= board["y"] + board["height"]
    for part in (".sentence", "canvas.wall", ".st-key-drawer p >> nth=0", ".katex >> nth=0"):
        assert page.locator(part).first.evaluate("it => getComputedStyle(it).color") == "rgb(17, 17, 17)"
    assert page.locator("body").evaluate("it => getComputedStyle(it).backgroundColor") == "rgb(255, 255, 255)"
    foot = page.locator("body").evaluate("it => getComputedStyle(it, '::after').content")
    assert page.url in foot
    assert f"vitviz {__version__}" in foot
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(".sentence").evaluate("it => getComputedStyle(it).color") == "rgb(245, 245, 245)"


def test_of_a_narrow_window_no_list_lies_over_the_chart_beside_it(visit: Callable[..., Page]) -> None:
    page = visit(viewport={"width": 794, "height": 720})
    open_page(page, "/tensor_shapes")
    on_paper(page)
    whole(page)


@pytest.mark.parametrize("path", ["/build_a_vit", "/layer_table", "/tensor_shapes", "/patch_grid?open=details"])
def test_lists_and_charts_are_whole(page: Page, path: str) -> None:
    reach(page, path)
    on_paper(page)
    whole(page)


NAMES = {
    "position_embedding?moment=3": ("as learned", "positions off", "positions shuffled"),
    "position_embedding?moment=4&query=1&key=14": ("patch 1", "patch 14"),
    "encoder_block": ("stream", "attention", "MLP"),
    "intervene?moment=4": (
        "1. One head of many is switched off.",
        "6. Every token looks at one token only: top-k is 1.",
    ),
}


@pytest.mark.parametrize("path", NAMES)
def test_a_button_that_names_what_stands_there_is_printed(page: Page, path: str) -> None:
    show(page, f"/{path}")
    on_paper(page)
    for name in NAMES[path]:
        expect(page.locator(".stage").get_by_text(name, exact=True)).to_be_visible()
    expect(page.locator(".photo button").locator("visible=true")).to_have_count(0)


def test_what_moves_is_printed_where_it_comes_to_rest(visit: Callable[..., Page]) -> None:
    page = visit(viewport=LAPTOP)  # whose clock stops
    show(page, "/patch_grid")
    page.evaluate("() => { const now = performance.now(); performance.now = () => now; }")
    page.keyboard.press("PageDown")
    assert "144" not in texts(page), "each patch is where it was"
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert "144" in texts(page)


def test_columns_stay_on_one_sheet_and_a_long_list_stands_alone(page: Page) -> None:
    reach(page, "/tensor_shapes")
    on_paper(page)
    listed, chart = (page.locator(part).bounding_box() for part in (".st-key-tensors-list", ".st-key-chart-tensors"))
    assert listed
    assert chart
    assert chart["y"] >= listed["y"] + listed["height"]
    reach(page, "/three_counts")
    on_paper(page)
    columns = page.locator("[data-testid=stMain] [data-testid=stHorizontalBlock]").last
    assert columns.evaluate("it => getComputedStyle(it).breakInside") == "avoid"
