"""Heads: what every head of every layer looks at from one token, who looks at it, and what reaches it in all."""

from vitviz.config import ViTConfig
from vitviz.page import Moment


def moments(config: ViTConfig) -> tuple[Moment, ...]:
    """Those of Heads."""
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
