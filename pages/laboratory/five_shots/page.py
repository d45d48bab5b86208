"""Five shots: classes of your own, from a few pictures each, read off a frozen model by a read-out solved at once."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Five shots",
    order=510,
    stage="head",
)
