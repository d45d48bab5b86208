"""The pages of the walk, found in their folders: `pages/` beside the package, or inside it in a wheel."""

from importlib import import_module
from itertools import groupby
from types import ModuleType

from vitviz.installed import APP
from vitviz.page import Page

FOLDER = APP / "pages"
__path__ = [str(FOLDER)]


def module_of(page: Page, name: str) -> ModuleType:
    """A module of the page's folder."""
    return import_module(f"{__name__}.{page.folder.parent.name}.{page.stem}.{name}")


def shown_of(page: Page) -> ModuleType | None:
    """What stands on the page; None where all of it is on the board."""
    return module_of(page, "shown") if (page.folder / "shown.py").is_file() else None


def _found() -> list[Page]:
    names = (".".join(path.relative_to(FOLDER).with_suffix("").parts) for path in FOLDER.glob("*/*/page.py"))
    found: list[Page] = [import_module(f"{__name__}.{name}").PAGE for name in names]
    return sorted(found, key=lambda page: page.order)


PAGES = {page.stem: page for page in _found()}
CHAPTERS = {title: tuple(pages) for title, pages in groupby(PAGES.values(), key=lambda page: page.chapter)}
ON_BOARD = {stem: page for stem, page in PAGES.items() if page.on_board}  # in the order of the strip
FIRST = next(iter(PAGES.values()))  # what the app opens on
CARDS_PAGE = next(page for page in PAGES.values() if page.choice("switch"))  # where the card of each switch stands
GATHERS = next(page for page in PAGES.values() if page.gathers)  # the notebook
TEACHES = next(page for page in PAGES.values() if page.teaches)  # where all lessons are, also to take home
LEADS = next(page for page in PAGES.values() if page.leads)  # the window of who gives a lecture, whom nobody follows
