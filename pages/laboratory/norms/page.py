"""Norms: layer norm against batch norm, and GELU against ReLU and the gate of SwiGLU."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Norms",
    order=508,
    stage="model",
)
