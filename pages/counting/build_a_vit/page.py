"""Build a ViT: move one size, and see at once what changes and what does not."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Build a ViT",
    order=606,
    stage="model",
    forward=False,
)
