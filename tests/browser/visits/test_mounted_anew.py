"""A board that Streamlit mounts anew draws what was said to the one before: nothing is said twice."""

from pathlib import Path

from playwright.sync_api import Browser, expect

import vitviz.ui
from tests.browser.board import PIXELS, show
from tests.browser.server import serve
from tests.browser.watch import answered, context_of

# The app, whose board gets another key in Streamlit, and so is another one, with every press of a button.
SCRIPT = f"""
import runpy

import streamlit as st
from vitviz.ui.board import component
from vitviz.ui.server.turns import take_turns

take_turns()
if not hasattr(component, "mount_once"):
    component.mount_once = component.mount
number = st.session_state["number"] = st.session_state.get("number", 0) + st.session_state.get("again", False)
component.mount = lambda key: component.mount_once(key=f"board{{number}}")
runpy.run_path({str(Path(vitviz.ui.__file__).with_name("main.py"))!r})
st.button("Again", key="again")
"""


def test_a_board_that_is_mounted_anew_draws_what_was_said_before(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(SCRIPT)
    with serve(tmp_path / "app.py") as server, context_of(browser, server.url) as context:
        page = context.new_page()
        show(page, "/heads?layer=3&head=2&query=40")
        before = page.locator(".board").element_handle()
        readout = page.locator(".readout").inner_text()
        picture = page.locator(".photo canvas").evaluate(PIXELS)
        page.evaluate("globalThis.__vitviz_drawn = undefined")
        with answered(page):
            page.get_by_role("button", name="Again").click()
        page.wait_for_function("() => globalThis.__vitviz_drawn?.digest")
        assert not before.evaluate("(board) => board.isConnected")
        expect(page.locator(".readout")).to_have_text(readout)
        assert page.locator(".scene canvas").count() > 0
        assert page.locator(".photo canvas").evaluate(PIXELS) == picture
        page.keyboard.press("l")
        expect(page.locator(".readout")).to_contain_text("layer 4")
