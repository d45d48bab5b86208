"""Tensor shapes: every tensor of the model and of its forward, in order, before any of them exists."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Tensor shapes",
    order=403,
    stage="model",
    forward=False,
)
