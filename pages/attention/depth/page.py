"""Depth: what becomes of attention from the first layer to the last."""

from vitviz import palette
from vitviz.config import ViTConfig
from vitviz.numbers import many
from vitviz.page import Moment, Page


def _moments(config: ViTConfig) -> tuple[Moment, ...]:
    found = (
        Moment("rollout", "One layer looks once; stacked layers pass on what others have seen.", columns=True),
        Moment("reach", "How far the heads look, and how concentrated their attention is.", columns=True),
    )
    if "class" not in config.prefix_tokens:
        return found
    journey = "The {class token}'s journey: what it has gathered, layer by layer."
    return *found, Moment("journey", journey, columns=True)


PAGE = Page(
    __file__,
    "Depth",
    order=303,
    stage="blocks",
    label="Depth",
    colour=palette.RESIDUAL,
    shape=lambda config: many(config.depth, "block"),
    moments=_moments,
    switched=True,
)
