"""Memory: what the parameters take in use and in training, and what the activations add."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Memory",
    order=605,
    stage="model",
    forward=False,
)
