"""The pages of the app as they lie in pages/: a new page is tested, and photographed, by existing."""

from vitviz.pages import FIRST, PAGES

FRONT = FIRST.stem
STEMS = sorted(PAGES, key=lambda stem: (stem != FRONT, stem))


def path_of(link: str) -> str:
    """The address of a page by its stem, with its query: "heads?layer=5" -> "/heads?layer=5"; the front page is "/"."""
    stem, mark, query = link.partition("?")
    return f"/{'' if stem == FRONT else stem}{mark}{query}"
