"""The site in Firefox and WebKit: the numbers of the app, its keys, and one file from a disk."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.support.wait import WebDriverWait

from tests.browser.site.conftest import BELOW, Plain
from tests.browser.takeaway.told import strongest
from tests.browser.watch import TIMEOUT_MS
from vitviz.measures.attention import attention_row
from vitviz.trace import Trace

COMPLETE = """
    const { digest, photo } = globalThis.__vitviz_drawn ?? {};
    return Boolean(digest) && photo.startsWith(digest);
"""
PAGE = "return globalThis.__vitviz_drawn.page"
READOUT = "return document.querySelector('.readout').textContent"


@pytest.fixture(scope="module", params=["firefox", "webkit"])
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDriver]:
    browser = import_module(f"tests.browser.others.{request.param}")
    if lacks := browser.missing():
        pytest.skip(f"{lacks}; `make test` installs one as root on Debian")
    with browser.launched(tmp_path_factory.mktemp(request.param)) as driver:
        yield driver


def complete(driver: WebDriver) -> None:
    WebDriverWait(driver, TIMEOUT_MS / 1000).until(lambda it: it.execute_script(COMPLETE))


def test_one_file_from_a_disk(driver: WebDriver, one_file: Path) -> None:
    driver.get(one_file.as_uri())
    complete(driver)
    ActionChains(driver).send_keys(Keys.PAGE_DOWN, Keys.PAGE_DOWN).perform()
    WebDriverWait(driver, TIMEOUT_MS / 1000).until(lambda it: it.execute_script(PAGE) == "patch_grid")
    complete(driver)


def test_heads(driver: WebDriver, files: Plain, trace: Trace) -> None:
    driver.get(f"{files.url}/{BELOW}/heads?layer=3&query=40")
    complete(driver)
    wanted = f"query patch 40 · layer 3 · head 1 looks most at {strongest(attention_row(trace, 2, 40)[0])}"
    wait = WebDriverWait(driver, TIMEOUT_MS / 1000)
    wait.until(lambda it: wanted in it.execute_script(READOUT))
    ActionChains(driver).send_keys("l", Keys.PAGE_DOWN).perform()
    wanted = f"query patch 40 · layer 4 · head 1 looks most at {strongest(attention_row(trace, 3, 40)[0])}"
    wait.until(lambda it: wanted in it.execute_script(READOUT))
    wait.until(lambda it: "layer=4" in it.current_url and "moment=matrix" in it.current_url)
