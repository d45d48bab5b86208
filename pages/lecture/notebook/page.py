"""Notebook: the walk as a scroll of cells: what each moment says, the code that ran, and what came out of it."""

from vitviz.choice import Choice, Words
from vitviz.config import ViTConfig
from vitviz.page import Page


def chapters(words: Words, config: ViTConfig | None) -> dict[str, tuple[Page, ...]]:
    """The pages with numbers of the whole walk, and of each chapter by its folder."""
    from vitviz.pages import PAGES  # of which this is one

    pages = [page for page in PAGES.values() if page.calculations]
    names = dict.fromkeys(page.folder.parent.name for page in pages)
    return {"walk": tuple(pages)} | {
        name: tuple(page for page in pages if page.folder.parent.name == name) for name in names
    }


PAGE = Page(
    __file__,
    "Notebook",
    order=703,
    gathers=True,
    choices=(Choice("chapter", among=chapters, leaves=True), Choice("cell", leaves=True)),
)
