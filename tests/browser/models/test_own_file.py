"""A checkpoint of one's own comes back after a reload, to the browser that brought it alone."""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.frame import open_board, open_sidebar, rest
from tests.browser.watch import answered, open_page, screenshot
from tests.checkpoints import TIMM, save, shaken_state

MODEL = TIMM.with_(dim=64, heads=2, depth=12)


def test_an_uploaded_checkpoint_is_there_after_a_reload_and_a_stranger_is_told(
    visit: Callable[..., Page], tmp_path: Path
) -> None:
    checkpoint = save(shaken_state(MODEL), tmp_path / "mine.safetensors")
    page = visit(viewport={"width": 1280, "height": 720})
    open_board(page, "/heads?model=your+own+file")
    open_sidebar(page)
    with answered(page):
        page.locator("[class*=st-key-checkpoint_] input[type=file]").set_input_files(checkpoint)
    rest(page)
    depth = page.locator(".strip a.box", has_text="Depth")
    expect(depth).to_contain_text("12 blocks")
    expect(page).to_have_url(re.compile("file=[0-9a-f]{64}"))
    page.reload()
    expect(depth).to_contain_text("12 blocks")
    open_board(page, f"/heads?{page.url.partition('?')[2]}&layer=12")
    expect(depth).to_contain_text("12 blocks")
    expect(page).to_have_url(re.compile("layer=12"))
    stranger = visit(viewport={"width": 1280, "height": 720}, color_scheme="dark")
    open_page(stranger, f"/heads?{page.url.partition('?')[2]}")
    expect(stranger.get_by_text("of this link is not here, or not yours")).to_be_visible()
    expect(stranger.locator(".strip a.box", has_text="Depth")).to_contain_text("6 blocks")


def test_the_list_of_models_has_groups(page: Page) -> None:
    open_board(page, "/heads")
    open_sidebar(page)
    page.get_by_role("combobox", name="Model").last.click()
    options = page.get_by_role("option")
    expect(options.first).to_have_text("── Trained here ──")
    screenshot(page, "models-list-first")
    page.get_by_role("combobox", name="Model").last.fill("photographs")
    expect(options.first).to_contain_text("photographs", ignore_case=True)
    screenshot(page, "models-list-photographs")
    page.get_by_role("combobox", name="Model").last.fill("ViT-")
    screenshot(page, "models-list-vit")
