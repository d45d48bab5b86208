"""Counting in a browser: formulas behind the line of every page, and a model built by hand that a link reproduces."""

from playwright.sync_api import Page, expect

from tests.browser.frame import choose_model
from tests.browser.watch import open_page, settled


def test_the_formula_opens_and_stays_open_while_the_model_changes(page: Page) -> None:
    open_page(page, "/parameters?model=demo")
    formulas = page.locator(".count-line section")
    expect(formulas).to_be_hidden()
    page.locator(".count-line label").click()
    expect(formulas).to_be_visible()
    expect(formulas).to_contain_text("d·c·ph·pw + d = 128·3·8·8 + 128")
    choose_model(page, "vit_tiny_patch16_224 (untrained)")
    expect(formulas).to_be_visible()
    expect(formulas).to_contain_text("192·3·16·16")


def test_a_model_built_by_hand_is_in_the_link(page: Page) -> None:
    open_page(page, "/build_a_vit?model=vit_base_patch16_224")
    expect(page.locator(".tiles .lit")).to_have_count(0)
    page.get_by_role("slider", name="Depth").press("ArrowRight")
    settled(page)
    expect(page.locator(".tiles .lit", has_text="all parameters")).to_contain_text("93,655,528")
    expect(page.locator(".tiles .lit", has_text="tokens")).to_have_count(0)
    page.reload()
    settled(page)
    expect(page.locator(".count-line")).to_contain_text("93,655,528")


def test_a_slider_steps_over_what_does_not_fit_and_the_family_stays_in_the_link(page: Page) -> None:
    open_page(page, "/build_a_vit?model=deit_base_distilled_patch16_224")
    heads = page.get_by_role("slider", name="Heads")
    for expected in ("16", "24", "32"):
        heads.press("ArrowRight")
        settled(page)
        expect(heads).to_have_attribute("aria-valuetext", expected)
    assert "distilled=true" in page.url
    expect(page.get_by_role("alert")).to_have_count(0)
    page.reload()
    settled(page)
    expect(heads).to_have_attribute("aria-valuetext", "32")
    expect(page.locator(".count-line")).to_contain_text("87,338,192")
    page.get_by_test_id("stMain").get_by_role("button", name="Read-out").click()
    page.get_by_test_id("stPopoverBody").get_by_text("Distillation token", exact=True).click()
    settled(page)
    expect(page.locator(".count-line")).to_contain_text("86,567,656")
    assert "distilled" not in page.url
