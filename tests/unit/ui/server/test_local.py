"""Who starts the app on a desktop sees it: one browser, at the address that the terminal names."""

import webbrowser
from queue import Queue

import pytest
from streamlit import config

from vitviz.ui.server import local


@pytest.mark.parametrize(
    ("headless", "folder", "opened"),
    [(False, "", ["http://localhost:8599"]), (False, "/vit/", ["http://localhost:8599/vit"]), (True, "", [])],
)
def test_a_browser_opens_where_somebody_sits(
    headless: bool, folder: str, opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"server.headless": headless, "server.baseUrlPath": folder, "server.port": 8599}
    monkeypatch.setattr(config, "get_option", options.get)
    monkeypatch.setattr(local, "STARTS_S", 0)
    found: Queue[str] = Queue()
    monkeypatch.setattr(webbrowser, "open", found.put)
    local.open_in_a_browser()
    assert [found.get(timeout=60) for _ in opened] == opened
    assert found.empty()
