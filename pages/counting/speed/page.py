"""Speed: the measured beside the counted, on this device; what memory takes of it; a ViT beside a CNN."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Speed",
    order=609,
    stage="model",
)
