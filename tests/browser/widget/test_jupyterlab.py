"""The board in JupyterLab: a hand and a cell choose the same, and the kernel's numbers are what Python says."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from time import monotonic, sleep
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.takeaway.told import strongest
from vitviz.measures.attention import attention_weights
from vitviz.results import measure
from vitviz.samples import samples
from vitviz.selection import FIRST_MODEL, Selection

MISSING = [name for name in ("jupyterlab", "anywidget") if not find_spec(name)]
START_S = 60.0
LOST_MS = 1000  # until a cell says that it runs, or that it has run
REST_MS = 1000  # until the kernel knows what a hand has chosen, which rests
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
CELLS = (
    "import vitviz\nboard = vitviz.Board('demo', 'cat', page='heads', layer=3)\nboard",
    "print(board.layer, board.head, board.query, board.edits)",
    "board.layer, board.query, board.edits = 5, 'class', 'h5.2*0'",
    "print(board.page, board.switches, board.edits)",
    "print(board.page, board.moment, board.layer)\nboard.edits, board.layer = 'h2.1*0', 6",
    "print(board.page, board.layer, board.edits)",
    "board.crop = '100-100-500'",
)

pytestmark = pytest.mark.skipif(
    bool(MISSING), reason=f"{' and '.join(MISSING)} not installed here; `make widget-check` installs them and runs this"
)


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a notebook in a JupyterLab of its own."""
    folder = tmp_path_factory.mktemp("lab")
    cells: list[object] = [
        {"cell_type": "code", "metadata": {}, "source": it, "outputs": [], "execution_count": None} for it in CELLS
    ]
    book = {"cells": cells, "metadata": {"kernelspec": KERNEL}, "nbformat": 4, "nbformat_minor": 4}
    (folder / "board.ipynb").write_text(json.dumps(book), encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = {
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.port": port,
        "ServerApp.root_dir": folder,
        "IdentityProvider.token": "",
        "LabApp.news_url": "None",
        "LabApp.check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
    }
    server = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
        + [f"--{name}={value}" for name, value in options.items()],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3]), "JUPYTER_CONFIG_DIR": str(folder / "config")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        until = monotonic() + START_S
        while True:
            try:
                urlopen(f"http://127.0.0.1:{port}/api/status")
                break
            except URLError:
                assert monotonic() < until, "JupyterLab does not start"
                sleep(0.2)
        yield f"http://127.0.0.1:{port}/lab/tree/board.ipynb"
    finally:
        server.terminate()
        server.wait()


@pytest.fixture(name="run")
def notebook(lab: str, browser: Browser) -> Iterator[Callable[[int], Page]]:
    """A function that runs a cell of the notebook, and leads to its page."""
    with browser.new_context(viewport={"width": 1400, "height": 1000}) as context:
        page = context.new_page()
        page.goto(lab)

        def run(cell: int) -> Page:
            it = page.locator(".jp-CodeCell").nth(cell)
            while not (prompt := it.locator(".jp-InputPrompt").inner_text())[1:-2].isdigit():
                if prompt == "[ ]:":  # what comes before the kernel's line is lost, even while “[*]:” stands there
                    it.locator(".cm-content").click()
                    page.keyboard.press("Shift+Enter")
                page.wait_for_timeout(LOST_MS)
            return page

        yield run


def test_hand_and_cell_choose_the_same(run: Callable[[int], Page]) -> None:
    page = run(0)
    board = page.frame_locator("iframe[title='demo on Cat']")
    words = board.locator(".readout")
    cat = Selection(FIRST_MODEL, samples()["cat"])
    weights = [measure(cat, attention_weights, layer) for layer in range(6)]
    expect(words).to_have_text(f"query [class] · layer 3 · head 1 looks most at {strongest(weights[2][0, 0])}")

    board.locator(".photo canvas").click(position={"x": 5, "y": 5})
    page.keyboard.press("l")
    page.keyboard.press("h")
    expect(words).to_have_text(f"query patch 1 · layer 4 · head 2 looks most at {strongest(weights[3][1, 1])}")
    expect(page.locator(".jp-Notebook .jp-CodeCell")).to_have_count(len(CELLS))  # no key reached the notebook

    page.wait_for_timeout(REST_MS)
    run(1)
    expect(page.locator(".jp-OutputArea-output pre").last).to_have_text("4 2 1 ")
    run(2)
    expect(words).to_have_text(
        f"query [class] · layer 5 · head 2 looks most at {strongest(weights[4][1, 0])} · adds nothing: it is off"
    )
    expect(board.locator(".edited")).to_contain_text("Head 2 of layer 5 off")

    board.locator(".photo canvas").click(position={"x": 5, "y": 5})
    page.keyboard.press("w")
    expect(board.locator(".where")).to_have_text("the notebook's kernel runs the model")
    expect(board.locator(".happened")).to_contain_text("Head 2 of layer 5 off: cat 0.")
    expect(board.locator(".happened")).not_to_contain_text("…")
    page.keyboard.press("0")
    expect(board.locator(".happened")).to_contain_text("Unedited: cat 0.")
    page.keyboard.press("PageDown")
    expect(board.locator(".sentence")).to_contain_text("Every token asks every token")
    page.wait_for_timeout(REST_MS)
    run(3)
    expect(page.locator(".jp-OutputArea-output pre").last).to_have_text("heads open ")

    expect(board.locator(".theme")).to_have_count(0)
    board.locator(".photo canvas").click(position={"x": 5, "y": 5})
    for _ in range(3):  # beyond the last moment
        page.keyboard.press("PageDown")
    page.wait_for_timeout(REST_MS)
    run(4)
    expect(page.locator(".jp-OutputArea-output pre").last).to_have_text("depth reach 5 ")
    expect(words).to_contain_text("Layer 6")

    board.locator(".photo canvas").click(position={"x": 5, "y": 5})
    for _ in range(6):  # over a page of four moments to one whose numbers are those of the edited model
        page.keyboard.press("PageDown")
    expect(words).to_contain_text("block 6 of 6 · component 1: ")
    page.wait_for_timeout(REST_MS)
    run(5)
    expect(page.locator(".jp-OutputArea-output pre").last).to_have_text("encoder_block 6 h2.1*0 ")

    page.locator("iframe[title='demo on Cat']").evaluate("(frame) => frame.parentNode.append(frame)")  # it loads again
    expect(words).to_contain_text("block 6 of 6 · component 1: ")

    said = words.inner_text()
    run(6)
    expect(words).not_to_have_text(said)
    expect(words).to_contain_text("block 6 of 6 · component 1: ")
