"""A Chromium or Chrome for the tests: the one on this machine, or one installed for them.

`python -m tests.browser.chromium` finds or installs it and says in one line which; its exit status is 1 where neither
worked.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

SHELL = "chromium-headless-shell"  # Debian's: the same browser without windows, in which a page costs a sixth less
COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
APPLICATIONS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",  # letters as wide as in a window
    "--v8-cache-options=code",  # what is compiled is kept from the first visit on
]
MISSING = "no Chromium or Chrome on this machine"


def find(first: str = "chromium") -> str | None:
    """The path of a browser that starts, or None; this command where it is one."""
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    candidates = [*map(shutil.which, (first, *COMMANDS, SHELL)), *APPLICATIONS, own]
    return next((path for path in candidates if path and Path(path).exists() and _starts(path)), None)


@contextmanager
def launched(path: str) -> Iterator[Browser]:
    """The browser at `path`, headless and quiet, for as long as a `with` lasts."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


def install() -> str | None:
    """Install a browser, Debian's package as root and Playwright's build elsewhere; its path, or None."""
    if from_debian("chromium") and (path := find()):
        return path
    _run(sys.executable, "-m", "playwright", "install", *(["--with-deps"] if _root() else []), "chromium")
    return find()


def from_debian(*packages: str) -> bool:
    """Install packages of Debian where that is possible, as root; whether it is."""
    possible = _root() and shutil.which("apt-get") is not None
    if possible:
        _run("apt-get", "update", "-q")
        _run("apt-get", "install", "-y", "-q", "--no-install-recommends", *packages)
    return possible


def _root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _starts(path: str) -> bool:
    try:
        answer = subprocess.run([path, "--version"], capture_output=True, timeout=60, check=False)
    except OSError:
        return False
    return answer.returncode == 0


def _run(*command: str) -> None:
    print("$", *command, flush=True)
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, check=False)


if __name__ == "__main__":
    if not shutil.which(SHELL):
        from_debian(SHELL)
    browser = find(SHELL) or install()
    print(f"browser tests run in {browser}" if browser else f"{MISSING}, and none could be installed")
    sys.exit(browser is None)
