"""Gradients: how long the loss's gradient is in each layer, and what residual connections, norms and √dₕ do to it."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Gradients",
    order=511,
    stage="model",
)
