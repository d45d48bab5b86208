"""The way of a visitor through the app: a sample, a photo and a model of their own, all pages, a link that brings it
all back.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Page, expect

from tests.browser.frame import (
    choose_model,
    choose_sample,
    drawn,
    open_board,
    open_sidebar,
    readout,
    rest,
    stem,
    turn,
    upload,
)
from tests.browser.pages import FRONT, path_of
from tests.browser.server import serve
from tests.browser.watch import answered, settled
from tests.checkpoints import TIMM, save, shaken_state
from tests.offline import REFUSAL
from vitviz.pages import ON_BOARD, PAGES

MODEL = TIMM.with_(dim=64, heads=2, registers=2, prefix_positions=False, layer_scale=True)
ORDER = sorted((entry.address for entry in PAGES.values()), key=lambda address: (address or FRONT) not in ON_BOARD)


@pytest.fixture
def photo(tmp_path: Path) -> Any:
    """A JPEG as a telephone makes it: large, and lying on its side until EXIF is read."""
    picture = Image.new("RGB", (1600, 1200), "#3b7dd8")
    ImageDraw.Draw(picture).ellipse((200, 300, 900, 1000), fill="#f2a541")
    exif = Image.Exif()
    exif[0x0112] = 6
    picture.save(tmp_path / "photo.jpg", quality=90, exif=exif)
    return tmp_path / "photo.jpg"


def test_first_sight_says_what_this_is_and_a_key_later_a_picture_is_at_work(page: Page) -> None:
    open_board(page)
    expect(page.get_by_role("heading", level=1)).to_contain_text(
        "Move over the picture. Light: what this patch looks at."
    )
    expect(page.locator("[data-testid=stSidebar][data-collapsed=true]")).to_have_count(1)
    turn(page)
    expect(page.get_by_role("heading", level=1)).to_contain_text("A picture goes in")
    assert shown_exceptions(page) == []
    assert painted(page, ".photo canvas") > 1000


def test_a_newcomer_waits_for_no_module_that_the_page_did_not_name(page: Page) -> None:
    open_board(page)
    found = page.evaluate("() => performance.getEntriesByType('resource').map((it) => [it.initiatorType, it.name])")
    modules = [(by, name.rpartition("/")[2]) for by, name in found if "/static/js/" in name]
    assert len(modules) > 50
    assert [name for by, name in modules if by == "script" and not name.startswith("index.")] == []


@pytest.mark.long
def test_a_clicker_leads_ones_own_photo_and_model_through_all_moments_and_pages_to_the_end_and_back(
    page: Page, photo: Any, tmp_path: Path
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    open_board(page, "/?model=your+own+file")
    first = drawn(page)["digest"]
    choose_sample(page, 2)
    sample = drawn(page)["digest"]
    assert sample != first
    upload(page, photo)
    own = drawn(page)["digest"]
    assert own not in (first, sample)
    names = ["ant", "bee", "cat", "dog", "elk"]
    checkpoint, card = save(shaken_state(MODEL), tmp_path / "mine.safetensors"), tmp_path / "config.json"
    card.write_text(json.dumps({"num_attention_heads": 2, "id2label": dict(enumerate(names))}))
    open_sidebar(page)
    bring(page, checkpoint, card)
    rest(page)
    sidebar = page.get_by_test_id("stSidebar")
    expect(sidebar.get_by_text("mine.safetensors, ")).to_be_visible()
    expect(page.locator(".strip a.box").nth(1)).to_contain_text(str(MODEL.patches))
    read = drawn(page)["digest"]  # as this model reads it
    assert read != own
    page.keyboard.press("s")
    page.locator(".sentence").click()
    walked, before, said = [], "", ""
    while page.url != before:
        place = stem(page)
        assert shown_exceptions(page) == [], place
        assert "picture=" in page.url
        assert sidebar.get_by_text("mine.safetensors, ").count()
        said += readout(page) if page.locator(".readout").is_visible() else ""
        if (place or FRONT) in ON_BOARD:
            assert plotly(asked) == [], f"{place} asks for Plotly before its details are opened"
        walked.append((place, drawn(page)["moment"]))
        before = page.url
        turn(page)
    assert list(dict.fromkeys(place for place, _ in walked)) == ORDER
    for place in ON_BOARD:
        moments = [moment for at, moment in walked if (at or FRONT) == place]
        assert moments == list(PAGES[place].moment_names(MODEL))
    assert any(name in said for name in names), said
    back = [walked[-1]]
    for _ in range(12):
        turn(page, "PageUp")
        back.append((stem(page), drawn(page)["moment"]))
    assert back == walked[: -len(back) - 1 : -1]
    page.locator('.strip a[data-stem="heads"]').click()
    rest(page)
    assert drawn(page)["digest"] == read
    with answered(page):
        page.keyboard.press("d")
    page.locator("[data-testid=stPlotlyChart] .main-svg").first.wait_for()
    assert plotly(asked)


def bring(page: Page, *files: Any) -> Any:
    """Drop files into the sidebar's uploader for checkpoints."""
    with answered(page):
        page.locator("[class*=st-key-checkpoint_] input[type=file]").set_input_files(list(files))


def plotly(asked: list[str]) -> list[str]:
    """The addresses of Plotly among those that were asked for."""
    return [url for url in asked if "plotly" in url.lower()]


def test_a_file_that_is_no_picture_gets_a_sentence_and_the_last_picture_stays(page: Page, tmp_path: Path) -> None:
    open_board(page)
    before = drawn(page)["digest"]
    text = tmp_path / "notes.jpg"
    text.write_text("this is not a picture")
    upload(page, text)
    assert page.get_by_test_id("stSidebar").get_by_role("alert").count() == 1
    assert drawn(page)["digest"] == before
    assert shown_exceptions(page) == []


def test_a_web_page_called_checkpoint_is_explained_and_the_last_model_stays(page: Page, tmp_path: Path) -> None:
    refused = tmp_path / "model.safetensors"
    refused.write_text("<!DOCTYPE html><title>Sign in</title>")
    open_board(page, "/?model=your+own+file")
    before = drawn(page)["digest"]
    open_sidebar(page)
    bring(page, refused)
    alert = page.get_by_test_id("stSidebar").get_by_role("alert")
    expect(alert).to_contain_text("is a web page, as a refused download leaves behind")
    expect(alert).to_contain_text("The previous model is still shown.")
    assert drawn(page)["digest"] == before


def test_reload_brings_back_sample_model_layer_and_head(page: Page) -> None:
    open_board(page, path_of("heads"))
    choose_sample(page, 3)
    choose_model(page, "vit_tiny_patch16_224 (untrained)")
    page.keyboard.press("s")
    page.locator(".sentence").click()
    for key in "llllh":
        page.keyboard.press(key)
    rest(page)
    assert {"layer=5", "head=2"} <= set(page.url.partition("?")[2].split("&"))
    address, digest, said = page.url, drawn(page)["digest"], readout(page)
    assert "layer 5 · head 2" in said
    page.reload(wait_until="domcontentloaded")
    settled(page)
    page.wait_for_function("() => globalThis.__vitviz_drawn?.digest")
    expect(page.locator(".readout")).to_have_text(said)
    assert (page.url, drawn(page)["digest"]) == (address, digest)


def test_a_pasted_link_is_the_first_request_to_a_fresh_server(visit: Any) -> None:
    with serve() as fresh:
        page = visit(fresh.url)
        open_board(page, path_of("heads?model=vit_tiny_patch16_224&layer=5&head=2"))
        expect(page.locator(".strip [aria-current=page]")).to_contain_text("Heads")
        assert page.get_by_role("dialog").count() == 0
        expect(page.locator(".readout")).to_contain_text("layer 5 · head 2")
        assert REFUSAL not in fresh.said()
        page.close()  # before its server ends, which it would ask for


def test_values_out_of_range_in_a_link_fall_back(page: Page) -> None:
    open_board(page, path_of("heads?model=nobody&layer=99&head=x&query=-1"))
    assert shown_exceptions(page) == []
    expect(page.locator(".readout")).to_contain_text("[class] · layer 1 · head 1")
    assert page.url.endswith("/heads")


def shown_exceptions(page: Page) -> Any:
    return page.get_by_test_id("stException").all_inner_texts()


def painted(page: Page, selector: Any) -> Any:
    """How many colours a canvas shows."""
    return page.locator(selector).evaluate(
        """(canvas) => {
            const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            return new Set(new Uint32Array(data.buffer)).size;
        }"""
    )
