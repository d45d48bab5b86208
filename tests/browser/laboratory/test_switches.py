"""A card chosen by hand in a browser: its numbers, the way into the model, and back."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.frame import choose
from tests.browser.watch import open_page, settled
from vitviz.config import OWN, PRESETS
from vitviz.counts import total_macs, total_parameters
from vitviz.numbers import exact


def test_a_card_is_chosen_by_hand_and_its_switch_used(page: Page) -> None:
    demo = PRESETS["demo"]
    linear = demo.with_(attention="linear")
    open_page(page, "/switches")
    page.get_by_role("radio", name="Attention", exact=True).click()
    page.wait_for_url("**switch=attention&value=top_k**")
    settled(page)
    page.get_by_role("radio", name="linear", exact=True).click()
    page.wait_for_url("**switch=attention&value=linear**")
    costs = page.get_by_role("region", name="What the switch costs")
    expect(costs).to_contain_text(exact(total_macs(linear)))
    expect(costs).to_contain_text(f"− {exact(total_macs(demo) - total_macs(linear))}")
    expect(page.get_by_role("region", name="linear_attention").locator("mark")).to_have_count(3)
    page.get_by_role("link", name="Use it in this model").click()
    page.wait_for_url("**/heads?**")
    settled(page)
    assert "attention=linear" in page.url
    assert "value=linear" in page.url  # the card stays in the link
    expect(page.locator(".strip")).to_contain_text(OWN)
    page.go_back()
    settled(page)
    expect(page.get_by_role("heading", name="Switches")).to_be_visible()
    expect(costs).to_contain_text(exact(total_parameters(demo)))
    expect(page.get_by_role("link", name="Use it in this model")).to_be_visible()


def test_on_a_phone_the_list_is_one_line_and_the_card_stands_on_the_first_screen(visit: Any) -> None:
    page = visit(viewport={"width": 390, "height": 844})
    open_page(page, "/switches")
    folded = page.get_by_role("combobox", name="Switch, one of 31")
    expect(folded).to_have_value("Block: Order of norms")
    expect(page.get_by_role("radio", name="Attention", exact=True)).to_be_hidden()
    assert page.get_by_role("heading", name="Order of norms").bounding_box()["y"] < 700
    choose(page, "Switch, one of 31", "Attention: Attention")
    page.wait_for_url("**switch=attention&value=top_k**")
    expect(page.get_by_role("heading", name="Attention", exact=True)).to_be_visible()
