"""Pictures of every page, light and dark, on the screens people have: `make screenshots`.

    python -m tests.browser.screenshots                           all pages, themes and sizes
    python -m tests.browser.screenshots --page heads --theme dark --size hall
    python -m tests.browser.screenshots --page "heads?layer=5"    a page as its link describes it

They land in build/screenshots/<page>-<theme>-<size>.png.
"""

import argparse

from playwright.sync_api import Browser

from tests.browser import chromium
from tests.browser.pages import STEMS, path_of
from tests.browser.server import serve
from tests.browser.watch import Watch, context_of, open_page, screenshot

THEMES = ("light", "dark")
# Streamlit scrolls inside a div, so a long page needs a tall window.
SIZES = {"hall": (1280, 720), "tall": (1280, 3000), "phone": (390, 844), "phone-tall": (390, 4000)}


def main() -> None:
    """Take the pictures that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", action="append", help=f"default: all of {', '.join(STEMS)}")
    parser.add_argument("--theme", action="append", choices=THEMES, help="default: both")
    parser.add_argument("--size", action="append", choices=SIZES, help="default: all")
    asked = parser.parse_args()
    path = chromium.find()
    if path is None:
        parser.error(f"{chromium.MISSING}; `make test` tries to install one")
    with serve() as server, chromium.launched(path) as browser:
        for theme in asked.theme or THEMES:
            for size in asked.size or SIZES:
                for page in asked.page or STEMS:
                    take(browser, server.url, page, theme, size)


def take(browser: Browser, url: str, page: str, theme: str, size: str) -> None:
    """One picture of one page; says where it lies and what the page complained about."""
    width, height = SIZES[size]
    with context_of(browser, url, color_scheme=theme, viewport={"width": width, "height": height}) as context:
        tab, watch = context.new_page(), Watch(url)
        watch.observe(tab)
        open_page(tab, path_of(page))
        print(screenshot(tab, f"{page.replace('?', '-').replace('&', '-')}-{theme}-{size}"))
        for line in [*watch.foreign, *watch.complaints, *tab.get_by_test_id("stException").all_inner_texts()]:
            print("   ", line)


if __name__ == "__main__":
    main()
