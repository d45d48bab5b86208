"""A lecture by keyboard: what the hand expects of keys, files and wrong addresses; its end: the way of one patch."""

import re
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.board import LAYERS, drawn, show, still, texts
from tests.browser.frame import EXPANDED, open_board, rest, stem, turn
from tests.browser.watch import violations
from vitviz.measures import blocks, tokens
from vitviz.measures.attention import attention_row
from vitviz.measures.classes import answer
from vitviz.numbers import small
from vitviz.trace import Trace
from vitviz.weights import load

PATCH = 39  # counts from 0
STATIONS = 8
HELD = """() => {
    let held = document.activeElement;
    while (held.shadowRoot?.activeElement) held = held.shadowRoot.activeElement;
    return Boolean(held.closest("[data-testid=stSidebar]"));
}"""
DRAG = """(kind) => {
    const data = new DataTransfer();
    data.items.add(new File(["x"], "photo.png", { type: "image/png" }));
    document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""

PASTE = """([name, type, content, more]) => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([Uint8Array.from(content), new Uint8Array(more)], name, { type }));
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
}"""


def length(vector: Any) -> str:
    return small(float(np.linalg.norm(vector)))


def test_tab_leads_to_the_board_and_never_into_the_closed_sidebar(page: Page) -> None:
    open_board(page)
    for _ in range(6):
        page.keyboard.press("Tab")
        assert not page.evaluate(HELD)
    turn(page)
    assert "moment=stages" in page.url


def test_a_button_or_slider_that_was_clicked_gives_the_keys_back(page: Page) -> None:
    open_board(page, "/depth")
    slider = page.get_by_role("slider", name="layer")
    width = slider.evaluate("(it) => it.clientWidth")
    slider.click(position={"x": 8 + 0.6 * (width - 16), "y": 12})
    rest(page)
    assert "through=4" in page.url
    page.keyboard.press("ArrowRight")
    rest(page)
    assert "query=" in page.url
    assert "through=4" in page.url
    page.get_by_role("button", name="hold: photo").click()
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="stop")).to_be_visible()


def test_an_unknown_page_is_named_on_the_first_one(page: Page) -> None:
    open_board(page, "/nosuch?layer=2")
    said = page.get_by_test_id("stMain").get_by_role("alert")
    expect(said).to_contain_text("There is no page “nosuch”. This is the first page")
    page.wait_for_function("() => location.pathname + location.search === '/'")
    turn(page)
    turn(page)
    assert stem(page) == "patch_grid"
    expect(said).to_have_count(0)


def test_the_board_says_where_a_dragged_photo_goes(page: Page) -> None:
    open_board(page, "/heads")
    board = page.locator(".board")
    page.evaluate(DRAG, "dragover")
    expect(board).to_have_attribute("data-drop", "")
    page.evaluate(DRAG, "dragleave")
    expect(board).not_to_have_attribute("data-drop", "")


def test_a_picture_that_is_pasted_is_shown_and_a_paste_without_one_is_ignored(page: Page) -> None:
    open_board(page, "/heads")
    paste(page, "text.txt", "text/plain", b"no picture")
    paste(page, "square.png", "image/png", square())
    page.wait_for_url(re.compile("picture=[0-9a-f]{64}"))
    rest(page)
    expect(page.locator(EXPANDED)).to_have_count(0)
    expect(page.get_by_test_id("stMain").get_by_role("alert")).to_have_count(0)


def test_a_picture_that_is_too_large_is_refused_in_words(page: Page) -> None:
    open_board(page)
    paste(page, "large.png", "image/png", b"", more=30_200_000)
    expect(page.locator(EXPANDED)).to_have_count(1)  # the uploader itself says why, beside the size
    chip = page.locator(".st-key-upload [data-testid=stFileChip][aria-invalid=true]")
    expect(chip).to_contain_text("30.2MB")
    said = chip.evaluate("chip => getComputedStyle(chip, '::after').content.replaceAll('\" \"', '')")
    assert "a picture may have up to 20 MB" in said
    box = chip.bounding_box()
    assert box
    assert box["height"] > 60  # the sentence has room under the name
    assert violations(page) == []


def paste(page: Page, name: str, kind: str, content: bytes, more: int = 0) -> None:
    """Paste a file with `more` zeros at its end."""
    page.evaluate(PASTE, [name, kind, list(content), more])


def square() -> bytes:
    """A small picture."""
    buffer = BytesIO()
    Image.new("RGB", (60, 60), "red").save(buffer, "PNG")
    return buffer.getvalue()


def test_the_photo_is_covered_by_no_button(stays: Page) -> None:
    for path in ("/heads", "/depth?moment=3", "/patch_grid?moment=4"):
        show(stays, path)
        photo, button = stays.locator(".photo canvas").bounding_box(), stays.locator(".photo .hold").bounding_box()
        assert photo
        assert button
        assert button["y"] > photo["y"] + photo["height"]


def test_the_button_of_a_figure_stands_above_it(page: Page) -> None:
    open_board(page, "/class_head?open=details")
    figure = page.get_by_test_id("stPlotlyChart").first
    figure.locator(".main-svg").first.wait_for()
    figure.hover()
    button = page.get_by_role("button", name="Take away: The class token and its norm").bounding_box()
    drawn = figure.locator(".main-svg").first.bounding_box()
    assert button
    assert drawn
    assert button["y"] + button["height"] <= drawn["y"]


def test_the_rest_of_a_caption_is_tapped(visit: Any) -> None:
    page = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    open_board(page, "/heads?sample=tabby")
    more, said = page.locator(".caveat .info button"), page.locator(".caveat [role=tooltip]")
    expect(said).to_be_hidden()
    more.tap()
    expect(said).to_contain_text("Softmax still has to name one.")
    box = said.bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    page.locator(".sentence").tap()
    expect(said).to_be_hidden()


def test_at_150_percent_the_photo_is_seen_whole(visit: Any) -> None:
    page = visit(viewport={"width": 853, "height": 480})
    open_board(page, "/heads")
    box = page.locator(".photo canvas").bounding_box()
    assert box
    assert box["y"] + box["height"] < 480
    readout = page.locator(".readout").bounding_box()
    assert readout
    assert readout["y"] + 20 < 480


def test_the_stations_of_a_patch_bear_pythons_numbers(stays: Page, trace: Trace) -> None:
    show(stays, f"/class_head?moment=4&query={PATCH + 1}&layer=2&head=3")
    said = texts(stays).split("\n")
    made, position = tokens.embedded(trace, "patch_tokens")[PATCH], tokens.patch_positions(trace)[PATCH]
    placed, leaves = made + position, blocks.block_values(trace, LAYERS - 1)["leaving"][1 + PATCH]
    assert said[:2] == [f"1 patch {PATCH + 1}", "8 × 8 × 3 = 192 numbers"]
    assert f"128 components, length {length(made)}" in said
    assert f"+ position of length {length(position)}" in said
    asked = attention_row(trace, 1, 1 + PATCH)[2]
    key = int(asked.argmax())
    most = said[said.index("4 layer 2, head 3 asks") + 1]
    assert most.startswith(f"most of {'[class]' if key == 0 else f'patch {key}'}: ≈ ")
    assert float(most.split()[-1]) == pytest.approx(float(asked[key]), rel=0.02)
    row = attention_row(trace, LAYERS - 1, 1 + PATCH).mean(axis=0)
    spread = float(said[said.index("6 layer after layer") + 1].split()[2])
    assert spread == pytest.approx(float(np.exp(-(row * np.log(row)).sum())), rel=0.03)
    cosine = float(placed @ leaves / np.linalg.norm(placed) / np.linalg.norm(leaves))
    assert f"cosine with its start {small(cosine)}" in said
    read = float(said[said.index("8 the answer") + 1].split()[-1])
    assert read == pytest.approx(float(attention_row(trace, LAYERS - 1, 0).mean(axis=0)[1 + PATCH]), rel=0.05, abs=1e-4)
    given, labels = answer(trace, LAYERS).probabilities, load("demo").labels
    assert [f"{labels[at]} {small(float(given[at]))}" for at in np.argsort(-given)[:3]] == said[-3:]


def test_space_plays_station_after_station_and_stops(stays: Page) -> None:
    show(stays, f"/class_head?moment=4&query={PATCH + 1}")
    assert "8 × 8 × 3 = 192 numbers" in texts(stays)
    assert "[class] looks at it" in texts(stays)
    stays.keyboard.press(" ")
    drawn(stays)
    assert "[class] looks at it" not in texts(stays)
    expect(stays.get_by_role("button", name="stop")).to_be_visible()
    stays.keyboard.press(" ")
    assert "[class] looks at it" in texts(stays)
    expect(stays.get_by_role("button", name="play")).to_be_visible()


def test_who_asked_for_less_motion_sees_all_stations(visit: Any) -> None:
    page = visit(reduced_motion="reduce")
    show(page, f"/class_head?moment=4&query={PATCH + 1}")
    page.keyboard.press(" ")
    still(page)
    said = texts(page)
    assert [f"{station} " in said for station in range(1, STATIONS + 1)] == [True] * STATIONS
    assert "[class] looks at it" in said


def test_after_the_end_comes_the_laboratory(stays: Page) -> None:
    show(stays, "/why_this_answer?moment=randomised&layer=3")
    turn(stays)
    assert stem(stays) == "intervene"
    turn(stays, "PageUp")
    assert stem(stays) == "why_this_answer"
    assert "moment=randomised" in stays.url


def test_after_the_way_of_a_patch_comes_why_and_questions_lead_back(stays: Page) -> None:
    show(stays, "/class_head?moment=4&layer=3")
    questions = stays.locator(".questions a")
    expect(questions).to_have_count(5)
    turn(stays)
    assert stem(stays) == "why_this_answer"
    turn(stays, "PageUp")
    assert stem(stays) == "class_head"
    assert "moment=way" in stays.url
    questions.nth(2).click()
    rest(stays)
    assert stem(stays) == "query_key_value"
    assert "moment=softmax" in stays.url
    assert "layer=3" in stays.url


def test_a_model_that_only_makes_a_vector_shows_its_way_too(page: Page) -> None:
    show(
        page,
        "/class_head?model=build-your-own&image_size=32&patch_size=8&dim=24&depth=2&heads=2&mlp_dim=16&classes=0&moment=3",
    )
    said = texts(page)
    assert "24 components, length" in said
    assert "after 2 blocks" in said
