"""A visitor brings a checkpoint of their own and walks through all pages with it."""

import json
import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.pages import STEMS
from tests.browser.watch import answered, open_page
from tests.checkpoints import TIMM, save, shaken_state

MODEL = TIMM.with_(dim=64, heads=2, registers=2, prefix_positions=False, layer_scale=True)


def bring(page: Page, *files: Path) -> None:
    """Drop files into the sidebar's uploader for checkpoints."""
    with answered(page):
        page.locator("[class*=st-key-checkpoint_] input[type=file]").set_input_files(list(files))


def test_an_uploaded_checkpoint_is_shown_on_every_page(page: Page, tmp_path: Path) -> None:
    checkpoint = save(shaken_state(MODEL), tmp_path / "mine.safetensors")
    card = tmp_path / "config.json"
    names = ["ant", "bee", "cat", "dog", "elk"]
    card.write_text(json.dumps({"num_attention_heads": 2, "id2label": dict(enumerate(names))}))
    open_page(page, "/?model=your+own+file")
    bring(page, checkpoint, card)
    sidebar = page.get_by_test_id("stSidebar")
    expect(page.get_by_test_id("stMain")).to_contain_text(re.compile("|".join(f"answers: {name}" for name in names)))
    expect(sidebar.get_by_text("mine.safetensors, ")).to_be_visible()
    seen = [page.url]
    while (onward := page.get_by_test_id("stMain").get_by_role("link", name="→").last).count():
        with answered(page):
            onward.click()
        assert page.get_by_test_id("stException").all_inner_texts() == []
        assert sidebar.get_by_text("mine.safetensors, ").count()
        seen.append(page.url)
    assert len(set(seen)) == len(seen) == len(STEMS)


def test_a_web_page_called_checkpoint_is_explained_and_the_last_model_stays(page: Page, tmp_path: Path) -> None:
    refused = tmp_path / "model.safetensors"
    refused.write_text("<!DOCTYPE html><title>Sign in</title>")
    open_page(page, "/?model=your+own+file")
    before = page.get_by_test_id("stMain").inner_text()
    bring(page, refused)
    alert = page.get_by_test_id("stSidebar").get_by_role("alert")
    expect(alert).to_contain_text("is a web page, as a refused download leaves behind")
    expect(alert).to_contain_text("The last model stays.")
    assert page.get_by_test_id("stMain").inner_text() == before
