"""Query, key, value: one query token's way through one head, in numbers."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Query, key, value",
    order=301,
    stage="attention",
)
