"""Side by side: two models, field by field, and the cards of all to one scale."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Side by side",
    order=607,
    stage="model",
    forward=False,
)
