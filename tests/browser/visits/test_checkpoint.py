"""A visitor brings a checkpoint of their own and walks through all pages with it."""

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.frame import drawn, open_board, open_sidebar, rest, stem, turn
from tests.browser.pages import STEMS
from tests.browser.watch import answered
from tests.checkpoints import TIMM, save, shaken_state

MODEL = TIMM.with_(dim=64, heads=2, registers=2, prefix_positions=False, layer_scale=True)


def bring(page: Page, *files: Any) -> Any:
    """Drop files into the sidebar's uploader for checkpoints."""
    with answered(page):
        page.locator("[class*=st-key-checkpoint_] input[type=file]").set_input_files(list(files))


def test_an_uploaded_checkpoint_is_shown_on_every_page(page: Page, tmp_path: Path) -> None:
    checkpoint = save(shaken_state(MODEL), tmp_path / "mine.safetensors")
    card = tmp_path / "config.json"
    names = ["ant", "bee", "cat", "dog", "elk"]
    card.write_text(json.dumps({"num_attention_heads": 2, "id2label": dict(enumerate(names))}))
    open_board(page, "/?model=your+own+file")
    open_sidebar(page)
    bring(page, checkpoint, card)
    sidebar = page.get_by_test_id("stSidebar")
    rest(page)
    expect(sidebar.get_by_text("mine.safetensors, ")).to_be_visible()
    expect(page.locator(".strip a.box").nth(1)).to_contain_text(str(MODEL.patches))
    page.keyboard.press("s")
    page.locator(".sentence").click()
    seen, before, said = [], None, ""
    while page.url != before:
        assert page.get_by_test_id("stException").all_inner_texts() == []
        assert sidebar.get_by_text("mine.safetensors, ").count()
        seen.append(stem(page))
        said += page.locator(".readout").inner_text() if page.locator(".readout").is_visible() else ""
        before = page.url
        turn(page)
    assert len(dict.fromkeys(seen)) == len(STEMS)
    assert any(name in said for name in names), said


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
