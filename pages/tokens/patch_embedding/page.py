"""Patch embedding: each patch becomes a token."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Patch embedding",
    order=202,
    stage="patch_embedding",
)
