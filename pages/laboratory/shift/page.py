"""Shift: the picture moves by pixels; a convolution's map moves along, a ViT's tokens jump at the edges of patches."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Shift",
    order=505,
    stage="patch_embedding",
)
