"""Every moment of every scene fits every window: nothing overlaps or is cut, and what is pressed is seen."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.frame import EXPANDED, close_sidebar, drawn, open_board, open_sidebar, rest
from tests.browser.pages import FRONT, path_of
from vitviz.config import PRESETS
from vitviz.lecture import lesson
from vitviz.pages import ON_BOARD

FITS = Path(__file__).with_name("fits.js").read_text(encoding="utf-8")
WHOLE = ((1024, 560), (853, 480), (1366, 625), (1920, 1080), (2560, 1440), (1280, 720))  # all that is pressed is seen
SCROLLED = ((640, 360), (390, 844), (844, 390))  # one column, or lower than a board: what is pressed is scrolled to
HALL, PHONE = ((1366, 625), (1280, 720)), ((390, 844),)
LOW = (1024, 560)
BESIDE_A_SIDEBAR = ((1366, 625),)
SMALLEST = 12  # CSS pixels of type


def moments(page: Page, stems: list[str], model: str = "demo") -> Iterator[str]:
    """From scene to scene, and from moment to moment, by one key."""
    open_board(page, path_of(f"{stems[0]}?model={model}&sample=tabby"))
    for stem in stems:
        for moment in ON_BOARD[stem].moments(PRESETS[model]):
            shown = drawn(page)
            assert (shown["page"] or FRONT, shown["moment"]) == (stem, moment.name)
            yield f"{stem} {moment.name}"
            page.keyboard.press("PageDown")
            rest(page)


def faults(page: Page, sizes: tuple[tuple[int, int], ...], *, whole: bool) -> list[str]:
    """What does not fit windows of these sizes, each said with the size; the last one stays."""
    found = []
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        drawn(page)
        drawn(page)
        said = page.evaluate("(whole) => __unfit(whole)", whole)
        small = [f"type of {said['smallest']} px"] if said["smallest"] < SMALLEST - 0.01 else []
        found += [f"{width}x{height} {fault}" for fault in [*said["faults"], *small]]
    return found


@pytest.mark.long
@pytest.mark.parametrize("half", [slice(5), slice(5, None)], ids=["first", "second"])
def test_every_moment_fits_every_window_and_beside_the_sidebar(calm: Page, half: slice) -> None:
    calm.add_init_script(f"(() => {{{FITS}}})()")
    found: list[str] = []
    for number, moment in enumerate(moments(calm, list(ON_BOARD)[half])):
        for beside in (number % 2 == 1, number % 2 == 0):  # as one moment leaves the sidebar the next one begins
            if beside:
                open_sidebar(calm)
                here = [f"beside the sidebar {it}" for it in faults(calm, BESIDE_A_SIDEBAR, whole=True)]
            else:
                if calm.locator(EXPANDED).count():
                    close_sidebar(calm)
                here = [*faults(calm, SCROLLED, whole=False), *faults(calm, WHOLE, whole=True)]
            found += [f"{moment}: {it}" for it in here]
    assert found == []


@pytest.mark.long
def test_twelve_layers_without_a_head_fit_the_windows_of_a_hall_and_a_phone(calm: Page) -> None:
    calm.add_init_script(f"(() => {{{FITS}}})()")
    found = []
    for moment in moments(calm, list(ON_BOARD), "photo"):
        here = [*faults(calm, PHONE, whole=False), *faults(calm, HALL, whole=True)]
        found += [f"{moment}: {it}" for it in here]
    assert found == []


@pytest.mark.parametrize("model", ["demo", "vit_base_patch16_224"])
def test_a_tag_finds_its_room_in_the_one_row_of_the_count_line(page: Page, model: str) -> None:
    page.add_init_script(f"(() => {{{FITS}}})()")
    open_board(page, f"/heads?model={model}&sample=astronaut")
    for size in (*HALL, LOW):
        assert faults(page, (size,), whole=True) == []
        caveat, count = page.locator(".caveat").bounding_box(), page.locator(".count").bounding_box()
        assert caveat
        assert count
        assert count["height"] < 2 * caveat["height"], size


def test_over_an_answer_the_table_of_scores_is_as_long_as_it_has_room(page: Page) -> None:
    page.add_init_script(f"(() => {{{FITS}}})()")
    steps = enumerate(lesson("vit_in_45_minutes").steps, start=1)
    step = next(at for at, it in steps if it.question and it.question.answer == "needed_patch")
    open_board(page, f"/?lesson=vit_in_45_minutes&step={step}")
    page.locator(".lecture-bar .on:visible").click()
    page.locator(".guessing.result .truth").wait_for()
    rows = page.locator(".scores tbody tr")
    for low in HALL:
        assert [it for it in faults(page, (low,), whole=False) if "overlap" in it] == []
        assert 2 <= rows.count() < 7
        expect(rows.first).to_contain_text("cat")
    page.locator(".guessing.result button").click()  # put away
    assert [it for it in faults(page, ((1366, 900),), whole=False) if "overlap" in it] == []
    assert rows.count() == 7


def test_type_grows_with_the_window_and_more_in_a_lecture(page: Page) -> None:
    open_board(page, "/heads?sample=tabby")
    sentence = page.locator(".sentence")

    def high() -> float:
        drawn(page)
        box = sentence.bounding_box()
        assert box
        return box["height"]

    page.set_viewport_size({"width": 1280, "height": 720})
    usual = high()
    page.set_viewport_size({"width": 1920, "height": 1080})
    desk = high()
    open_board(page, "/heads?sample=tabby&lesson=vit_in_45_minutes&step=1")
    factor = page.evaluate("() => Number(document.documentElement.style.getPropertyValue('--grown'))")
    assert desk > 1.3 * usual
    assert factor == 1.5
