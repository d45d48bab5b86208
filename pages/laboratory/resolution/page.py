"""Resolution: one model on larger and smaller pictures, its positions interpolated to their grids."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Resolution",
    order=506,
    stage="position_embedding",
)
