"""The way of a visitor through the app: a sample, a photo of their own, all pages, a link that brings it all back."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Locator, Page, expect

from tests.browser.pages import STEMS, path_of
from tests.browser.server import serve
from tests.browser.watch import answered, open_page, settled
from tests.offline import REFUSAL


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    """A JPEG as a telephone makes it: large, and lying on its side until EXIF is read."""
    picture = Image.new("RGB", (1600, 1200), "#3b7dd8")
    ImageDraw.Draw(picture).ellipse((200, 300, 900, 1000), fill="#f2a541")
    exif = Image.Exif()
    exif[0x0112] = 6
    picture.save(tmp_path / "photo.jpg", quality=90, exif=exif)
    return tmp_path / "photo.jpg"


def test_first_sight_is_a_picture_at_work(page: Page) -> None:
    open_page(page)
    assert page.get_by_role("heading", level=1).inner_text() == "Overview"
    assert shown_exceptions(page) == []
    assert len(main_text(page)) > 200


def test_a_visitor_walks_through_all_pages_with_a_photo(page: Page, photo: Path) -> None:
    open_page(page)
    before = main_text(page)
    choose_sample(page, 2)
    sample = main_text(page)
    assert sample != before
    upload(page, photo)
    assert main_text(page) != sample
    seen = [page.url]
    while (onward := page.get_by_test_id("stMain").get_by_role("link", name="→").last).count():
        with answered(page):
            onward.click()
        assert shown_exceptions(page) == []
        seen.append(page.url)
    assert len(set(seen)) == len(seen) == len(STEMS)


def test_a_file_that_is_no_picture_gets_a_sentence_and_the_last_picture_stays(page: Page, tmp_path: Path) -> None:
    open_page(page)
    before = main_text(page)
    text = tmp_path / "notes.jpg"
    text.write_text("this is not a picture")
    upload(page, text)
    assert page.get_by_test_id("stSidebar").get_by_role("alert").count() == 1
    assert main_text(page) == before
    assert shown_exceptions(page) == []


def test_reload_brings_back_sample_model_layer_and_head(page: Page) -> None:
    open_page(page, path_of("heads"))
    choose_sample(page, 3)
    choose_model(page, "vit_tiny_patch16_224")
    for _ in range(4):
        slider(page, "Layer").press("ArrowRight")
    slider(page, "Head").press("ArrowRight")
    page.wait_for_url(re.compile("layer=5.*head=2|head=2.*layer=5"))
    settled(page)
    address, text, pictures = page.url, main_text(page), drawings(page)
    page.reload(wait_until="domcontentloaded")
    settled(page)
    expect(slider(page, "Layer")).to_have_value("5")
    expect(slider(page, "Head")).to_have_value("2")
    assert page.url == address
    assert main_text(page) == text
    assert drawings(page) == pictures


def test_a_pasted_link_is_the_first_request_to_a_fresh_server(visit: Callable[..., Page]) -> None:
    with serve() as fresh:
        page = visit(fresh.url)
        open_page(page, path_of("heads?model=vit_tiny_patch16_224&layer=5&head=2"))
        assert page.get_by_role("heading", level=1).inner_text() == "Heads"
        assert page.get_by_role("dialog").count() == 0
        assert page.get_by_role("combobox", name="Model").input_value() == "vit_tiny_patch16_224"
        expect(slider(page, "Layer")).to_have_value("5")
        expect(slider(page, "Head")).to_have_value("2")
        assert REFUSAL not in fresh.said()


def test_values_out_of_range_in_a_link_fall_back(page: Page) -> None:
    open_page(page, path_of("heads?model=nobody&layer=99&head=x&query=-1"))
    assert shown_exceptions(page) == []
    expect(slider(page, "Layer")).to_have_value("1")
    expect(slider(page, "Head")).to_have_value("1")
    assert "nobody" not in page.url


def main_text(page: Page) -> str:
    """All text of the page itself, without sidebar and menu."""
    return page.get_by_test_id("stMain").inner_text()


def drawings(page: Page) -> list[str]:
    """What is drawn on each canvas of the page, once it stands still."""
    earlier: list[str] | None = None
    now: list[str] = []
    while earlier != now:
        page.wait_for_timeout(300)
        earlier, now = now, page.locator("canvas").evaluate_all("all => all.map((canvas) => canvas.toDataURL())")
    return now


def shown_exceptions(page: Page) -> list[str]:
    return page.get_by_test_id("stException").all_inner_texts()


def choose_sample(page: Page, place: int) -> None:
    """Press the sample at `place`, the first being 1."""
    with answered(page):
        page.locator(".st-key-sample button").nth(place - 1).click()


def choose_model(page: Page, name: str) -> None:
    page.get_by_role("combobox", name="Model").click()
    with answered(page):
        page.get_by_role("option", name=name, exact=True).click()


def upload(page: Page, path: Path) -> None:
    with answered(page):
        page.get_by_test_id("stSidebar").get_by_role("radio", name="Upload").click()
    with answered(page, messages=2):  # where may it go, and: it has come
        page.set_input_files("input[type=file]", path)


def slider(page: Page, name: str) -> Locator:
    return page.get_by_role("slider", name=name, exact=True)
