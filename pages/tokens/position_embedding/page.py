"""Position embedding: where a patch comes from is added to its token."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Position embedding",
    order=203,
    stage="position_embedding",
)
