"""Intervene: parts of the running model are switched off, and the unedited run stands beside it."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Intervene",
    order=501,
    stage="model",
)
