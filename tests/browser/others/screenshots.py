"""Pictures of pages in Firefox and WebKit, light and dark.

    python -m tests.browser.others.screenshots heads "intervene?sample=left"

They land in build/screenshots/<page>-<theme>-<browser>.png.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.browser.others.__main__ import BROWSERS
from tests.browser.others.tab import Tab
from tests.browser.pages import path_of
from tests.browser.screenshots import THEMES
from tests.browser.server import serve
from tests.browser.watch import SCREENSHOTS


def main(pages: list[str]) -> None:
    """Take them, and say where each lies and what its page complained about."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    with serve() as server:
        for browser in BROWSERS:
            for theme in THEMES:
                with TemporaryDirectory() as folder, browser.launched(Path(folder), dark=theme == "dark") as driver:
                    tab = Tab(driver, server.url)
                    tab.size(1280, 720)
                    for page in pages:
                        tab.open(path_of(page))
                        name = browser.__name__.rpartition(".")[2]
                        file = SCREENSHOTS / f"{page.replace('?', '-').replace('&', '-')}-{theme}-{name}.png"
                        driver.save_screenshot(str(file))
                        print(file, *tab.complaints(), sep="\n    ")


if __name__ == "__main__":
    main(sys.argv[1:])
