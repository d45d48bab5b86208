"""Dropout: dropout and drop path, which belong to training, as a spread of answers to one picture."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Dropout",
    order=507,
    stage="model",
)
