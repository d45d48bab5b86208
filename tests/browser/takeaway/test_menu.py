"""The menu of a picture, by keys: everything in it is pressed, and what comes is opened and compared with Python."""

import json
import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.frame import open_board, rest
from tests.browser.takeaway.told import saved, strongest
from vitviz.measures.attention import attention_row, attention_weights
from vitviz.trace import Trace

VIEW = "/heads?layer=3&query=40"
FOCUSED = """() => {
    let it = document.activeElement;
    while (it.shadowRoot?.activeElement) it = it.shadowRoot.activeElement;
    return it.textContent || it.tagName;
}"""
NAME = "heads-demo-Cat-layer3"


def menu(page: Page) -> Locator:
    return page.locator(".takes")


def focused(page: Page) -> str:
    """What has the focus, within whatever it lies."""
    text: str = page.evaluate(FOCUSED)
    return text


def opened(page: Page, key: str = "t") -> Locator:
    """The menu, after the key that opens it."""
    page.keyboard.press(key)
    expect(menu(page)).to_be_visible()
    return menu(page)


def entry(page: Page, name: str) -> Locator:
    return menu(page).get_by_role("button", name=name, exact=True)


def entries(page: Page) -> list[str]:
    """What the menu offers."""
    return menu(page).get_by_role("button").all_inner_texts()


def test_it_is_opened_walked_and_closed_by_keys(page: Page) -> None:
    open_board(page, VIEW)
    opened(page)
    expect(page.get_by_role("dialog", name="Take away: Heads")).to_be_visible()
    assert focused(page) == "Link"
    page.keyboard.down("t")  # held: the press that opened it ended above, so this one closes it, and opens no other
    page.keyboard.down("t")
    page.keyboard.up("t")
    expect(menu(page)).to_have_count(0)
    page.keyboard.down("t")
    expect(menu(page)).to_be_visible()
    page.keyboard.down("t")
    page.keyboard.up("t")
    page.locator(".strip a").first.evaluate("it => it.focus()")  # as a page that settles may
    expect(menu(page)).to_be_visible()
    entry(page, "Link").focus()
    second = "See in the notebook"
    for key, text in (("ArrowDown", second), ("End", "Cite"), ("ArrowDown", "Link"), ("Tab", second), ("Home", "Link")):
        page.keyboard.press(key)
        assert focused(page) == text
    page.keyboard.press("l")  # the keys of the board are not pressed through the menu
    page.keyboard.press("Escape")
    expect(menu(page)).to_have_count(0)
    assert "layer=3" in page.url
    page.keyboard.press("l")
    page.wait_for_url(re.compile("layer=4"))
    button = page.locator(".count .take")
    button.focus()
    page.keyboard.press("Enter")
    expect(menu(page)).to_be_visible()
    page.keyboard.press("Escape")
    assert focused(page) == "Ttake away"  # the focus is where it was


def test_every_entry_gives_what_is_on_screen(page: Page, trace: Trace, offline: Callable[..., Page]) -> None:
    open_board(page, VIEW)
    opened(page)
    row, matrix = attention_row(trace, 2, 40), attention_weights(trace, 2)[0]
    assert ElementTree.fromstring(saved(menu(page), "SVG", f"{NAME}.svg")).tag.endswith("svg")
    with Image.open(BytesIO(saved(menu(page), "PNG", f"{NAME}.png"))) as image:
        assert (image.format, image.width) == ("PNG", 1920)
    with np.load(BytesIO(saved(menu(page), "Data (.npz)", f"{NAME}.npz")), allow_pickle=False) as file:
        np.testing.assert_allclose(file["values"], row, rtol=1e-5, atol=1e-8)
        np.testing.assert_allclose(file["matrix"], matrix, rtol=1e-5, atol=1e-8)
    table = saved(menu(page), "Data (.csv)", f"{NAME}.csv").decode()
    assert len([line for line in table.splitlines() if line.startswith('"values"')]) == row.size
    notebook = json.loads(saved(menu(page), "Notebook", f"{NAME}.ipynb"))
    assert any(re.search(r"query.* = .*\b40\b", "".join(cell["source"])) for cell in notebook["cells"])
    chapter_file = "query_key_value-what_a_token_knows-demo-Cat.ipynb"
    chapter = json.loads(saved(menu(page), "Chapter as a notebook", chapter_file))
    assert len(chapter["cells"]) > len(notebook["cells"])
    shown = offline(saved(menu(page), "Offline file: heads", f"{NAME}.html").decode())
    expect(shown.locator(".readout")).to_have_text(
        f"query patch 40 · layer 3 · head 1 looks most at {strongest(row[0])}"
    )
    assert "take=" not in page.url


def test_a_link_and_what_to_cite_are_copied(visit: Callable[..., Page]) -> None:
    permissions = ["clipboard-read", "clipboard-write"]
    page = visit(viewport={"width": 1280, "height": 720}, permissions=permissions)
    open_board(page, f"{VIEW}&edits=h1.1*0&b.model=demo&moment=2")
    rest(page)  # its address, too
    opened(page)
    entry(page, "Link").click()
    expect(menu(page).get_by_role("status")).to_have_text("The link is copied.")
    copied = page.evaluate("() => navigator.clipboard.readText()")
    assert copied == page.url
    assert {"layer=3", "query=40", "edits=h1.1*0", "b.model=demo", "moment=matrix"} <= set(
        copied.partition("?")[2].split("&")
    )
    entry(page, "Cite").click()
    expect(menu(page).get_by_role("textbox")).to_have_value(re.compile("@misc{"))
    expect(menu(page).get_by_role("status")).to_have_text("Copied.")  # the field has the text before the clipboard does
    assert "@misc{" in page.evaluate("() => navigator.clipboard.readText()")


def test_each_column_has_its_own(page: Page) -> None:
    open_board(page, f"{VIEW}&b.model=demo&b.edits=h3.1*0")
    rest(page)
    second = page.locator(".of-column.second").get_by_role("button", name="take away")
    second.click()
    expect(page.get_by_role("dialog", name="Take away: Heads, B")).to_be_visible()
    with np.load(BytesIO(saved(menu(page), "Data (.npz)", f"{NAME}.npz")), allow_pickle=False) as file:
        assert "h3.1*0" in str(file["about.edits"])
    page.keyboard.press("Escape")
    page.locator(".of-column:not(.second)").get_by_role("button", name="take away").click()
    expect(page.get_by_role("dialog", name="Take away: Heads", exact=True)).to_be_visible()


def test_an_own_picture_stays_here_without_the_tick(visit: Callable[..., Page], tmp_path: Path) -> None:
    page = visit(viewport={"width": 1280, "height": 720}, permissions=["clipboard-write"])
    photo = tmp_path / "half.png"
    Image.new("RGB", (60, 40), "red").save(photo)
    open_board(page)
    page.locator(".start input[type=file]").set_input_files(photo)
    page.wait_for_url(re.compile("picture=[0-9a-f]{64}"))
    rest(page)
    opened(page)
    expect(entry(page, "Offline file: heads")).to_be_hidden()
    assert b"the picture is left out" in saved(menu(page), "SVG", "overview-demo-your_picture.svg")
    menu(page).get_by_label("with my picture").check()
    expect(entry(page, "Offline file: heads")).to_be_visible()
    assert b"the picture is left out" not in saved(menu(page), "SVG", "overview-demo-your_picture.svg")
    entry(page, "Link").click()
    expect(menu(page).get_by_role("status")).to_contain_text("The picture itself is not in it")
    page.keyboard.press("Escape")
    page.locator(".strip").get_by_role("link", name=re.compile("^Patches")).click()
    page.wait_for_url(re.compile("patch_grid"))
    rest(page)
    opened(page)
    entry(page, "SVG").click()
    expect(menu(page).get_by_role("status")).to_have_text(
        "These numbers are those of your picture; tick “with my picture”."
    )


def test_a_file_that_was_forgotten_before_it_came_is_made_again(page: Page) -> None:
    open_board(page, VIEW)
    opened(page)
    lost: list[str] = []

    def lose(route: Route) -> None:
        lost.append(route.request.url)
        route.continue_() if len(lost) == 2 else route.fulfill(status=204)

    page.route("**/media/**", lose)
    assert ElementTree.fromstring(saved(menu(page), "SVG", f"{NAME}.svg")).tag.endswith("svg")
    assert len(lost) == 2
    entry(page, "SVG").click()
    expect(menu(page).get_by_role("status")).to_have_text("The file did not come whole; choose it again.")
    assert len(lost) == 2 + 3


def test_nothing_is_offered_that_is_refused_at_a_moment_of_training(page: Page) -> None:
    open_board(page, f"{VIEW}&learned=166")
    opened(page)
    assert {"Notebook", "PNG"} <= set(entries(page))
    assert [name for name in entries(page) if name.startswith("Offline file")] == []
    page.keyboard.press("Escape")
    page.keyboard.press("PageDown")  # another moment, which shows the model as it is
    page.wait_for_url(re.compile("moment=matrix"))
    opened(page)
    assert {"Offline file: heads", "Offline file: heads, with the model"} <= set(entries(page))


def test_it_offers_what_there_is_at_the_moment_on_screen(page: Page) -> None:
    open_board(page, "/patch_grid?moment=sizes")
    opened(page)
    assert not {"PNG", "SVG"} & set(entries(page))
    page.keyboard.press("Escape")
    page.keyboard.press("PageUp")
    page.wait_for_url(re.compile("patch_grid(?!.*moment=sizes)"))
    opened(page)
    assert {"PNG", "SVG"} <= set(entries(page))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone(visit: Callable[..., Page], scheme: str) -> None:
    page = visit(viewport={"width": 390, "height": 844}, color_scheme=scheme, has_touch=True)
    open_board(page, VIEW)
    page.locator(".count .take").tap()
    box = menu(page).bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert box["y"] + box["height"] <= 844
