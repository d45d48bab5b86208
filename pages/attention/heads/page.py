"""Heads: every head asks its own question of the picture."""

from vitviz import palette
from vitviz.config import ViTConfig
from vitviz.numbers import exact
from vitviz.page import Moment, Page


def _moments(config: ViTConfig) -> tuple[Moment, ...]:
    matrix = Moment(
        "matrix", "Every token asks every token: a row per {query} that asks, a column per {key}.", columns=True
    )
    if config.heads == 1:
        return Moment("wall", "One token, one head: what does its {query} look at?", columns=True), matrix
    return (
        Moment("wall", f"One token asks in {config.heads} heads: what does each {{query}} look at?", columns=True),
        matrix,
        Moment("pair", "Two heads beside each other: the same token asks, another answer.", columns=True),
    )


PAGE = Page(
    __file__,
    "Heads",
    order=302,
    stage="attention",
    label="Heads",
    colour=palette.ATTENTION,
    shape=lambda config: f"{config.heads} × {exact(config.tokens)} × {exact(config.tokens)}",
    moments=_moments,
    switched=True,
)
