"""The switchboard under the hand and the keys: what it writes, what the bars then say, and the way back."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.board import asked, drawn
from tests.browser.frame import open_board, rest
from tests.browser.intervene.hand import agrees, drag, intervene, said, settled, switch

BEYOND = """(all) => all.filter((it) => {
    const words = document.createRange();
    words.selectNodeContents(it);
    return words.getBoundingClientRect().width > it.offsetWidth + 1;
}).map((it) => it.innerText)"""


@pytest.fixture
def page(stays: Page) -> Page:
    """That of a visitor who stays: what is told here hangs on the address alone."""
    return stays


def test_nothing_is_changed_at_first(page: Page) -> None:
    intervene(page)
    assert said(page) == "Unedited: red ball left of blue ball 0.950."
    agrees(page, "")


def test_a_click_switches_off_and_on_and_the_bars_are_pythons(page: Page) -> None:
    intervene(page)
    switch(page, "head 1 of layer 3").click()
    agrees(page, "h3.1*0")
    assert said(page).startswith("Head 1 of layer 3 off: red ball left of blue ball 0.950 → ")
    switch(page, "block of layer 4").click()
    agrees(page, "h3.1*0 b4*0")
    switch(page, "MLP of layer 6").click()
    agrees(page, "h3.1*0 m6*0 b4*0")
    switch(page, "head 1 of layer 3").click()
    agrees(page, "m6*0 b4*0")


def test_a_drag_scales_and_is_one_step(page: Page) -> None:
    intervene(page)
    box = switch(page, "attention of layer 2").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 15, y, steps=4)
    page.mouse.move(x - 30, y, steps=4)
    page.mouse.up()
    agrees(page, "a2*0.5")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 500, y, steps=6)
    page.mouse.up()
    agrees(page, "a2*2")
    page.keyboard.press("z")
    agrees(page, "a2*0.5")
    page.keyboard.press("z")
    agrees(page, "")
    page.keyboard.press("y")
    agrees(page, "a2*0.5")
    page.keyboard.press("0")
    agrees(page, "")


def test_alt_leaves_one_alone_and_shift_puts_the_mean(page: Page) -> None:
    intervene(page)
    switch(page, "head 2 of layer 5").click(modifiers=["Alt"])
    agrees(page, "h5.1*0 h5.3-4*0")
    page.get_by_role("button", name="reset").click()
    switch(page, "MLP of layer 3").click(modifiers=["Alt"])
    agrees(page, " ".join(f"m{layer}*0" for layer in (1, 2, 4, 5, 6)))
    page.get_by_role("button", name="reset").click()
    switch(page, "head 2 of layer 5").click(modifiers=["Shift"])
    settled(page, "h5.2=mean")
    assert "at the mean of 64 scenes" in said(page)


def test_the_keys_reach_every_switch(page: Page) -> None:
    intervene(page)
    switch(page, "head 1 of layer 1").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    agrees(page, "h3.2*0")
    for key in ("End", "-", "-"):
        page.keyboard.press(key)
    agrees(page, "h3.2*0 m3*0.8")
    for key in ("Home", " "):
        page.keyboard.press(key)
    agrees(page, "h3.2*0 m3*0.8 b3*0")
    assert switch(page, "block of layer 3").get_attribute("aria-checked") == "false"
    assert page.locator('.switchboard [tabindex="0"]').count() == 1


def test_the_arrows_name_every_switch_in_order_and_tab_leaves_the_grid(page: Page) -> None:
    intervene(page)
    focused = "(board) => board.getRootNode().activeElement?.getAttribute('aria-label')"
    board = page.locator(".board").element_handle()
    switch(page, "block of layer 1").focus()
    page.keyboard.press("Home")
    named = []
    for layer in range(1, 7):
        row = [page.evaluate(focused, board)]
        for _ in range(6):
            page.keyboard.press("ArrowRight")
            row.append(page.evaluate(focused, board))
        heads = [f"head {head} of layer {layer}" for head in range(1, 5)]
        parts = [f"block of layer {layer}", *heads, f"attention of layer {layer}", f"MLP of layer {layer}"]
        assert row == [f"{part}: on" for part in parts]
        named += row
        page.keyboard.press("Home")
        page.keyboard.press("ArrowDown")
    assert page.get_by_role("switch").count() == len(named) == 42
    page.keyboard.press("m")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("m")
    settled(page, "h6.1=mean")
    assert page.evaluate(focused, board) == "head 1 of layer 6: at its mean"
    page.keyboard.press("o")
    settled(page, "h6.2-4*0")
    assert said(page).startswith("Heads 2 to 4 of layer 6 off")
    page.keyboard.press("Shift+Tab")
    assert page.locator(".measured button").evaluate("(it) => it.getRootNode().activeElement === it")


def test_each_edit_stands_in_words_and_can_be_taken_back(page: Page) -> None:
    intervene(page, "/intervene?sample=left&edits=h3.1*0+m5*0.5+p40-45")
    settled(page, "h3.1*0 m5*0.5 p40-45")
    words = page.locator(".edits li").all_inner_texts()
    assert [text.split(" ✕")[0].strip() for text in words] == [
        "Head 1 of layer 3 off",
        "MLP of layer 5 times 0.5",
        "Patches 40 to 45 hidden: masked as keys",
    ]
    page.get_by_role("button", name="take back: MLP of layer 5 times 0.5").click()
    agrees(page, "h3.1*0 p40-45")


def test_what_a_link_asks_in_vain_is_left_out(visit: Callable[..., Page]) -> None:
    page = visit(viewport={"width": 1280, "height": 720})
    intervene(page, "/intervene?sample=left&edits=h9.1*0+h3.1*0+x+p999")
    agrees(page, "h3.1*0")
    drawn(page)
    assert "edits=h3.1*0" in asked(page)


def test_a_hand_that_drags_sends_the_server_nothing(visit: Callable[..., Page]) -> None:
    page, sent = visit(viewport={"width": 1280, "height": 720}), list[object]()
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    intervene(page)
    settled(page, "")
    rest(page)
    before = len(sent)
    assert before
    for layer in range(1, 7):
        drag(page, f"attention of layer {layer}", -30)
    agrees(page, " ".join(f"a{layer}*0.5" for layer in range(1, 7)))
    rest(page)
    assert len(sent) == before


@pytest.mark.parametrize("model", ["vit_base_patch16_224", "vit_large_patch16_224"])
def test_columns_of_many_heads_have_room_for_their_names(page: Page, model: str) -> None:
    open_board(page, f"/intervene?model={model}")
    names = page.locator(".switchboard thead th")
    expect(names.last).to_have_text("MLP")
    assert names.evaluate_all(BEYOND) == []
