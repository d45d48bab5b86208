"""Server status: what the workers that all visitors share are doing."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Server status",
    order=801,
    stage="model",
    forward=False,
)
