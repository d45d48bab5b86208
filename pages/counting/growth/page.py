"""Growth: what one size costs when all others stay, against the linear and the quadratic law."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Growth",
    order=604,
    stage="model",
    forward=False,
)
